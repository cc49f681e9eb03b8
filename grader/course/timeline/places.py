"""Where a violation belongs in the drawing: it says so in words, such as "request 2, messages[3].content[1]" or
"reply 2".
"""

import re

from grader.course.timeline.sources import Finding, Source

_MESSAGE = re.compile(r"messages\[(\d{1,9})\](?:\.content\[(\d{1,9})\])?")
_REQUEST = re.compile(r"request (\d{1,9})")
_REPLY = re.compile(r"reply (\d{1,9})")
_OTHER_RUN = "second run"  # only the first run of a scenario is drawn
_RETURNED = "returned"  # the place is one of the returned messages


class Places:
    """The findings of a source, handed out once each: at their block, their message, their reply, or at the end."""

    def __init__(self, source: Source):
        self._messages: dict[int, dict[int | None, list[Finding]]] = {}
        self._replies: dict[int, list[Finding]] = {}
        self._rest: list[Finding] = []
        for finding in source.findings:
            self._sort_in(finding, source)

    def _sort_in(self, finding: Finding, source: Source) -> None:
        where, sent = finding.where, source.sent
        message, request, reply = _MESSAGE.search(where), _REQUEST.search(where), _REPLY.search(where)
        if _OTHER_RUN in where or (_RETURNED in where and not source.returned):
            self._rest.append(finding)
        elif message is not None:
            block = int(message[2]) if message[2] else None
            self._messages.setdefault(int(message[1]), {}).setdefault(block, []).append(finding)
        elif reply is not None:
            self._replies.setdefault(int(reply[1]), []).append(finding)
        elif request is not None and 0 < int(request[1]) <= len(sent):
            # What is wrong with a request as a whole stands below the last message that it carried.
            self._messages.setdefault(sent[int(request[1]) - 1] - 1, {}).setdefault(None, []).append(finding)
        else:
            self._rest.append(finding)

    def of_block(self, message: int | None, block: int) -> list[Finding]:
        return self._messages.get(message, {}).pop(block, [])

    def of_message(self, message: int) -> list[Finding]:
        """What is left of a message's findings once its blocks are drawn."""
        return [finding for found in self._messages.pop(message, {}).values() for finding in found]

    def of_reply(self, number: int | None) -> list[Finding]:
        return self._replies.pop(number, [])

    def rest(self) -> list[Finding]:
        """Whatever has not been handed out, in the order in which it came."""
        left = [f for blocks in self._messages.values() for found in blocks.values() for f in found]
        left += [f for found in self._replies.values() for f in found]
        self._messages, self._replies = {}, {}
        return left + self._rest
