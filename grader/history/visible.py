"""Foreign text that people read: control characters are shown as what they are, and steer nothing."""

# Characters that XML 1.0 forbids, that steer a terminal, or that turn the direction of text around. A tab and a line
# feed stay.
_SHOWN = {code: f"\\x{code:02x}" for code in [*range(0x20), *range(0x7F, 0xA0)] if code not in (0x09, 0x0A)}
_MARKS = (0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF)
_HIDDEN = [*_MARKS, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_SHOWN |= {code: f"\\u{code:04x}" for code in [*_HIDDEN, *range(0xD800, 0xE000)]}


def visible(text: str) -> str:
    """``text`` with each dangerous or invisible control character replaced by what Python writes for it, such as
    ``\\x1b`` or ``\\ud800``. Nothing of it is markup, so it may be done to a whole page too.
    """
    return text.replace("\r\n", "\n").translate(_SHOWN)
