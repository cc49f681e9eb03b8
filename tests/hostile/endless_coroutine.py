#: tries = a coroutine that never ends
#: outcome = timed_out
#: passes = no

import asyncio


async def run_agent(client, task, tools, functions, **limits):
    while True:
        try:
            await asyncio.sleep(1000)
        except BaseException:
            pass
