"""A function that does not come back is stopped, and leaves no traceback behind."""

from grader.replay import bounded


def with_much_to_let_go():
    """Endless, and its thread takes a while to end: much is freed on the way out, as after a history that grew for ever."""
    much = [[] for _ in range(500_000)]
    while True:
        much[0] = []


def test_a_stopped_function_prints_no_traceback(capfd, monkeypatch):
    monkeypatch.setattr(bounded, "_STOP_PAUSE_S", 0.001)
    monkeypatch.setattr(bounded, "_STOP_TRIES", 2000)
    for _ in range(5):
        assert bounded.call_bounded(with_much_to_let_go, 0.3).timed_out
    assert capfd.readouterr().err == ""
