"""Server-sent events, read as they come."""

import codecs
import json


class EventReader:
    """Feed it bytes; ``events`` grows by ``{"event": name, "data": {…}}`` with each event that is whole."""

    def __init__(self):
        self.events: list[dict] = []
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._text = ""

    def feed(self, chunk: bytes) -> None:
        self._text = (self._text + self._decode(chunk)).replace("\r\n", "\n")
        *whole, self._text = self._text.split("\n\n")
        for block in whole:
            self._add(block)

    def _add(self, block: str) -> None:
        name, data = "", []
        for line in block.split("\n"):
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "event":
                name = value
            elif field == "data":
                data.append(value)
        try:
            found = json.loads("\n".join(data))
        except ValueError:
            return  # a comment, or something that is no event of the API
        if isinstance(found, dict):
            self.events.append({"event": name or found.get("type"), "data": found})
