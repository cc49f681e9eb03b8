"""Virtual time: who sees it, who does not, and that nothing stays behind."""

import asyncio
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from grader.replay.clock import Clock

NAMES = ("time", "monotonic", "perf_counter", "time_ns", "monotonic_ns", "perf_counter_ns", "sleep")


@pytest.fixture(autouse=True)
def nothing_stays_behind():
    before = [getattr(time, name) for name in NAMES] + [threading.Thread.start]
    yield
    assert [getattr(time, name) for name in NAMES] + [threading.Thread.start] == before
    assert not hasattr(threading.current_thread(), "_grader_clock")


def seen_to_pass(function):
    start = time.monotonic()
    function()
    return time.monotonic() - start


@pytest.mark.parametrize("name", ["time", "monotonic", "perf_counter"])
def test_a_jump_is_seen_by_every_clock(name):
    with Clock() as clock:
        start, start_ns = getattr(time, name)(), getattr(time, f"{name}_ns")()
        clock.advance(400)
        assert 400 <= getattr(time, name)() - start < 401
        assert 400e9 <= getattr(time, f"{name}_ns")() - start_ns < 401e9


def test_sleep_takes_no_time_but_is_seen():
    start = time.monotonic()
    with Clock() as clock:
        assert 3600 <= seen_to_pass(lambda: time.sleep(3600)) < 3601
        assert clock.jumped == pytest.approx(3600, abs=0.01)
    assert time.monotonic() - start < 1


@pytest.mark.parametrize("wrong", [-1, "x", None, float("nan")])
def test_sleep_refuses_what_the_real_one_refuses(wrong):
    with pytest.raises((TypeError, ValueError)) as real:
        time.sleep(wrong)
    with Clock(), pytest.raises(real.type, match=re.escape(str(real.value))):
        time.sleep(wrong)


def test_real_time_goes_on_too():
    with Clock() as clock:
        done = threading.Event()
        assert 0.04 < seen_to_pass(lambda: done.wait(0.05)) < 1
        assert clock.jumped == 0


def test_threads_started_inside_live_by_it_and_others_do_not():
    seen, go, stop = {}, threading.Event(), threading.Event()

    def outsider():
        go.wait(5)
        start = time.monotonic()
        stop.wait(5)
        seen["outside"] = time.monotonic() - start

    other = threading.Thread(target=outsider)
    other.start()
    with Clock() as clock:
        go.set()
        time.sleep(0.05)
        with ThreadPoolExecutor(2) as pool:
            start = pool.submit(time.monotonic).result()
            clock.advance(100)
            seen["inside"] = pool.submit(time.monotonic).result() - start
        stop.set()
        other.join()
    assert seen["inside"] >= 100
    assert seen["outside"] < 10


def test_a_loop_that_polls_lets_other_threads_run():
    """A tool that needs no time must not look as if it had used up its time, however fast sleeps go by."""
    with Clock(), ThreadPoolExecutor(1) as pool:
        future = pool.submit(lambda: sum(range(100_000)))
        end = time.monotonic() + 30
        while not future.done() and time.monotonic() < end:
            time.sleep(0.05)
        assert future.done()


def test_asyncio_works_inside():
    async def work(clock):
        start = asyncio.get_running_loop().time()
        await asyncio.sleep(0.01)
        clock.advance(50)
        async with asyncio.timeout(100):
            await asyncio.to_thread(time.sleep, 20)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(30):
                clock.advance(31)
                await asyncio.sleep(10)
        return asyncio.get_running_loop().time() - start

    with Clock() as clock:
        assert asyncio.run(work(clock)) >= 101


def test_clocks_nest_and_time_never_goes_back():
    with Clock() as outer:
        outer.advance(10)
        before = time.monotonic()
        with Clock() as inner:
            assert time.monotonic() >= before
            inner.advance(5)
            assert (inner.jumped, inner.ahead) == (5, 15)
        assert time.monotonic() >= before + 5
        assert outer.jumped == 15


def test_an_exception_leaves_nothing_patched():
    with pytest.raises(KeyError), Clock():
        raise KeyError


def test_two_clocks_at_once_in_two_threads():
    both, seen = threading.Barrier(2), {}

    def run(name, seconds):
        with Clock() as clock:
            both.wait(5)
            start = time.monotonic()
            clock.advance(seconds)
            child = ThreadPoolExecutor(1)
            both.wait(5)
            seen[name] = child.submit(time.monotonic).result() - start
            child.shutdown()
            both.wait(5)

    threads = [threading.Thread(target=run, args=arguments) for arguments in (("a", 100), ("b", 10_000))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 100 <= seen["a"] < 110
    assert 10_000 <= seen["b"] < 10_010


def test_names_taken_from_time_are_swapped_and_put_back():
    taken = {"monotonic": time.monotonic, "now": time.time, "nap": time.sleep, "other": len}
    before = dict(taken)
    with Clock([taken]) as clock:
        start = taken["monotonic"]()
        clock.advance(60)
        assert taken["monotonic"]() - start >= 60
        taken["nap"](60)
        assert taken["other"] is len
    assert taken == before


def test_a_module_imported_inside_keeps_working_afterwards():
    with Clock() as clock:
        names = {}
        exec("from time import monotonic, sleep", names)
        clock.advance(60)
    assert abs(names["monotonic"]() - time.monotonic()) < 1
    names["sleep"](0)


def test_a_clock_can_be_left_for_a_thread_that_never_gets_there():
    clock, stop, real = Clock(), threading.Event(), time.monotonic

    def stuck():
        with clock:
            stop.wait(5)

    thread = threading.Thread(target=stuck)
    thread.start()
    while clock._thread is None:
        time.sleep(0.001)
    assert time.monotonic is not real
    clock.leave()
    assert time.monotonic is real
    stop.set()
    thread.join()


def test_a_clock_is_entered_once_at_a_time():
    with Clock() as clock, pytest.raises(RuntimeError, match="entered already"):
        clock.__enter__()
    with clock:
        pass
