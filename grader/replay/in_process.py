"""The door inside the process: real SDK clients whose transport is the player. Nothing leaves the process."""

from __future__ import annotations

from typing import Any

from grader.replay.player import Player, Response

_BASE_URL = "http://player.invalid"  # a name that can never be resolved, should anything try
_API_KEY = "no-key-is-needed"


class EndlessLoop(BaseException):
    """Stops a loop that goes on asking after the script's end. No ``except Exception`` holds it back."""


def client(player: Player) -> Any:
    """An ``anthropic.Anthropic`` that talks to the player."""
    import anthropic
    import httpx2

    http = httpx2.Client(transport=httpx2.MockTransport(lambda request: _answer(player, request, _chunks)))
    return anthropic.Anthropic(api_key=_API_KEY, base_url=_BASE_URL, http_client=http)


def async_client(player: Player) -> Any:
    """An ``anthropic.AsyncAnthropic`` that talks to the player."""
    import anthropic
    import httpx2

    async def handler(request):
        return _answer(player, request, _async_chunks)

    http = httpx2.AsyncClient(transport=httpx2.MockTransport(handler))
    return anthropic.AsyncAnthropic(api_key=_API_KEY, base_url=_BASE_URL, http_client=http)


def _answer(player: Player, request: Any, stream: Any) -> Any:
    import httpx2

    response = _respond(player, request)
    if response.stop:
        raise EndlessLoop
    if response.chunks is None:
        return httpx2.Response(response.status, headers=response.headers, content=response.body)
    return httpx2.Response(response.status, headers=response.headers, content=stream(response))


def _respond(player: Player, request: Any) -> Response:
    if request.method == "POST" and request.url.path == "/v1/messages":
        return player.respond(request.headers, request.content)
    return player.refuse(404, "not_found_error", f"Not found: {request.method} {request.url.path}")


def _chunks(response: Response):
    yield from response.chunks
    if response.broken:
        raise _broken()


async def _async_chunks(response: Response):
    for chunk in response.chunks:
        yield chunk
    if response.broken:
        raise _broken()


def _broken() -> Exception:
    import httpx2

    text = "peer closed connection without sending complete message body (incomplete chunked read)"
    return httpx2.RemoteProtocolError(text)  # what the other door's client says
