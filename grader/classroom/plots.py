"""A bar chart for the class report, as static SVG: it needs no script and no library. The page's style colours it."""

from __future__ import annotations

from html import escape

_BAR, _INK = "#3a6ea5", "#333333"  # where the page says nothing
_FONT = 'font-family="system-ui, sans-serif" font-size="13"'


def columns(counts: list[int], labels: list[str], title: str, unit: str = "learners") -> str:
    """Upright columns: a distribution."""
    step, top, base = 52, 18, 148
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
