"""What tools keep: a calculator for any sum, a cap for any text."""

import math

from grader.judging.exercises.properties.declare import holds
from grader.judging.pieces import brief, number

_OPERATORS = ("+", "-", "*", "/", "//", "%")


def _sums():
    """Arithmetic as text, with a value that is finite and not huge."""
    from hypothesis import strategies as st

    number = st.one_of(st.integers(1, 40).map(str), st.sampled_from(("0.5", "2.25", "10.0")))

    def joined(part):
        return st.tuples(part, st.sampled_from(_OPERATORS), part).map(" ".join)

    def changed(part):
        power = st.tuples(part, st.integers(0, 3)).map(lambda pair: f"({pair[0]}) ** {pair[1]}")
        return st.one_of(part.map(lambda text: f"({text})"), part.map(lambda text: f"-({text})"), power)

    small = st.one_of(number, changed(joined(number)))
    return st.one_of(joined(small), joined(joined(small))).filter(_has_value).map(lambda text: (text,))


def _value(text: str):
    return eval(text, {"__builtins__": {}})  # the text is one of those made above


def _has_value(text: str) -> bool:
    try:
        return len(text) <= 100 and math.isfinite(value := float(_value(text))) and abs(value) < 1e9
    except ArithmeticError:
        return False


@holds(
    "calculates-as-python-does",
    title="any sum",
    strategy=_sums,
    help="Let ast.parse do the reading: it knows brackets and what goes first. Your walk gives each node its value.",
)
def calculates_as_python_does(arguments, result):
    """``calculate(expression)`` returns the value that Python gives, as text."""
    (text,) = arguments
    truth = _value(text)
    if not isinstance(result, str):
        kind = type(result).__name__
        shown = number(result) if kind == "int" else brief(result)
        return f"The function returned {shown}, a {kind}; a tool returns text. It should return {str(truth)!r}."
    try:
        near = math.isclose(float(result), truth, rel_tol=1e-6, abs_tol=1e-6)
    except ValueError:
        return f"The function returned {result!r}; it should return the value and nothing else: {str(truth)!r}."
    return None if near else f"The function returned {result!r}; it should return {str(truth)!r}."


def _texts():
    from hypothesis import strategies as st

    return st.tuples(st.text(alphabet="ab \n", max_size=60), st.integers(1, 40))


@holds(
    "caps-and-says-so",
    title="any text and any limit",
    strategy=_texts,
    help="len(text) <= limit: the text itself. Otherwise text[:limit], then a note that holds len(text) - limit.",
)
def caps_and_says_so(arguments, result):
    """``capped(text, limit)``: the text, or its beginning and a short note of how many characters are left out."""
    text, limit = arguments
    about = f"The text has {len(text)} characters, the limit is {limit}."
    if not isinstance(result, str):
        kind = "None (is there a return?)" if result is None else f"a {type(result).__name__}"
        return f"{about} The function returned {kind}; it should return text."
    if len(text) <= limit:
        return None if result == text else f"{about} It fits, so it should come back as it is; {result!r} came back."
    left, note = len(text) - limit, result[limit:]
    if result[:limit] != text[:limit]:
        return f"{about} What came back does not begin with the first {limit} characters of the text."
    if note == text[limit:]:
        return f"{about} The whole text came back."
    if not note.strip():
        return f"{about} The rest was cut off without a word. The model would take what is there for everything."
    if str(left) not in note:
        return f"{about} Characters left out: {left}. The note {note!r} does not say how many."
    return None if len(note) <= 200 else f"{about} The note alone has {len(note)} characters. Keep it short."
