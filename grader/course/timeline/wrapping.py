"""Lines of text by their width in cells: a Chinese character or an emoji takes two."""

from rich.cells import cell_len, set_cell_size


def shorten(text: str, width: int) -> str:
    """``text`` in at most ``width`` cells, the cut shown by an ellipsis."""
    if len(text) <= width and cell_len(text) <= width:
        return text
    return set_cell_size(text[:width], max(width - 1, 0)).rstrip() + "…" if width > 0 else ""


def wrap(text: str, width: int, most: int) -> list[str]:
    """``text`` (one line) broken into at most ``most`` lines of ``width`` cells, at spaces where there are any. Never
    empty.
    """
    width = max(width, 4)
    lines: list[str] = []
    rest = text[: width * most * 4].strip()
    while rest and len(lines) < most - 1 and cell_len(rest) > width:
        cut = _cut(rest, width)
        lines.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    if rest or not lines:
        lines.append(shorten(rest, width))
    return lines


def _cut(text: str, width: int) -> int:
    """Where the first line ends: at the last space that leaves it at least half full, or in the middle of a word."""
    cells = end = 0
    while end < len(text) and (cells := cells + cell_len(text[end])) <= width:
        end += 1
    space = text.rfind(" ", 0, end + 1)
    return space if space > width // 2 else max(end, 1)
