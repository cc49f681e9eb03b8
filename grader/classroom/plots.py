"""Bar charts for the class report, as static SVG: they need no script and no library, and read the same everywhere."""

from __future__ import annotations

from html import escape

_BAR, _INK, _PALE = "#3a6ea5", "#333333", "#d8dee6"
_FONT = 'font-family="system-ui, sans-serif" font-size="13"'


def bars(items: list[tuple[str, int]], total: int, title: str, unit: str = "learners") -> str:
    """Horizontal bars with their numbers beside them. ``items``: (label, count); ``total``: what a full bar stands for.
    """
    if not items:
        return ""
    left, width, step = 230, 380, 26
    height = step * len(items) + 8
    parts = [_open(left + width + 90, height, title)]
    for i, (label, value) in enumerate(items):
        y = i * step + 6
        length = width * value / total if total else 0
        parts.append(
            f'<text x="{left - 8}" y="{y + 14}" text-anchor="end" fill="{_INK}" {_FONT}>{escape(_short(label))}</text>'
        )
        parts.append(f'<rect x="{left}" y="{y}" width="{width}" height="18" fill="{_PALE}"/>')
        parts.append(f'<rect x="{left}" y="{y}" width="{length:.1f}" height="18" fill="{_BAR}"/>')
        parts.append(f'<text x="{left + width + 8}" y="{y + 14}" fill="{_INK}" {_FONT}>{value} of {total}</text>')
    described = "; ".join(f"{label}: {value} of {total} {unit}" for label, value in items)
    return _close(parts, described)


def columns(counts: list[int], labels: list[str], title: str, unit: str = "learners") -> str:
    """Upright columns: a distribution."""
    step, top, base = 72, 18, 168
    most = max(counts, default=0) or 1
    parts = [_open(step * len(counts) + 20, base + 26, title)]
    for i, (value, label) in enumerate(zip(counts, labels, strict=True)):
        x, height = 10 + i * step, (base - top) * value / most
        parts.append(
            f'<rect x="{x + 4}" y="{base - height:.1f}" width="{step - 8}" height="{height:.1f}" fill="{_BAR}"/>'
        )
        parts.append(_centred(x + step / 2, base - height - 4, str(value)) + _centred(x + step / 2, base + 17, label))
    parts.append(f'<line x1="10" y1="{base}" x2="{10 + step * len(counts)}" y2="{base}" stroke="{_INK}"/>')
    described = "; ".join(f"{label}: {value} {unit}" for value, label in zip(counts, labels, strict=True))
    return _close(parts, described)


def _centred(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" fill="{_INK}" {_FONT}>{escape(text)}</text>'


def _open(width: int, height: int, title: str) -> str:
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" style="max-width: 100%; height: auto;"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}><title>{escape(title)}</title>'


def _close(parts: list[str], described: str) -> str:
    head, *rest = parts
    return f"{head}<desc>{escape(described)}</desc>{''.join(rest)}</svg>"


def _short(text: str) -> str:
    return text if len(text) <= 34 else text[:33] + "…"
