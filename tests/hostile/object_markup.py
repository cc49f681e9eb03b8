#: tries = a status of HTML, control characters and half a surrogate pair
#: outcome = finished
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    evil = "<script>alert(1)</script>\x00\x1b[2J\n\r\u2028\ud800=cmd|' /C calc'!A1"
    print(evil.encode("utf-8", "replace"))
    return evil, [{"role": evil, "content": evil}]
