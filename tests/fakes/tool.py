"""A program on this computer that knows the secret, and what it expects of a refusal."""

from fakes.raw_http import Answer, Headers, ask
from sidekicks.server import Server

COMMAND = b'{"type": "get_snapshot"}'


def allowed(server: Server) -> dict[str, str]:
    """Return the headers of a tool's command."""
    return {"authorization": f"Bearer {server.secret}", "content-type": "application/json"}


async def command(server: Server, headers: Headers, body: bytes = COMMAND) -> Answer:
    """Send a command as a tool would, but for `headers`."""
    return await ask(server.origin, "POST", "/invoke", {**allowed(server), **headers}, body)


def assert_refused(answer: Answer, status: int, code: str) -> None:
    assert (answer.status, answer.error["code"]) == (status, code)
    assert answer.error["message"].endswith(".")
    assert answer.header("cache-control") == "no-store"
    assert_sealed(answer)


def assert_sealed(answer: Answer) -> None:
    """Check the headers that every answer has, and that it opens nothing to other pages."""
    policy = answer.header("content-security-policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'; script-src 'self'; ")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'; base-uri 'none'; form-action 'none'" in policy
    assert answer.header("x-content-type-options") == "nosniff"
    assert answer.header("referrer-policy") == "no-referrer"
    assert answer.header("cross-origin-opener-policy") == "same-origin"
    assert answer.header("cross-origin-resource-policy") == "same-origin"
    names = {name for name, _ in answer.headers}
    assert not any(name.startswith("access-control-") for name in names)
    assert names.isdisjoint({"server", "date", "set-cookie"})
