"""`mcpServers` becomes what ACP's session/new takes."""

from typing import Any

import msgspec
import pytest

from fakes.config_files import entry, the_agent


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        (
            "{name: files, command: /bin/mcp}",
            {"name": "files", "command": "/bin/mcp", "args": [], "env": []},
        ),
        (
            "{name: files, type: stdio, command: /bin/mcp, args: [-p, 80], env: {A: 1, B: on}}",
            {
                "name": "files",
                "command": "/bin/mcp",
                "args": ["-p", "80"],
                "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "on"}],
            },
        ),
        (
            "{name: f, command: /m, env: [{name: A, value: b}]}",
            {"name": "f", "command": "/m", "args": [], "env": [{"name": "A", "value": "b"}]},
        ),
        (
            "{name: web, type: http, url: 'http://localhost:1/mcp', headers: {X-Key: k}}",
            {
                "name": "web",
                "type": "http",
                "url": "http://localhost:1/mcp",
                "headers": [{"name": "X-Key", "value": "k"}],
            },
        ),
        (
            "{name: old, type: sse, url: 'http://localhost:1'}",
            {"name": "old", "type": "sse", "url": "http://localhost:1", "headers": []},
        ),
        (
            "{name: new, type: acp, id: 7, d: {a: [1, -2, 2.5, true, null, 22:22, 010, .inf, x]}}",
            {
                "name": "new",
                "type": "acp",
                "id": 7,
                "d": {"a": [1, -2, 2.5, True, None, "22:22", "010", ".inf", "x"]},
            },
        ),
        (
            "{name: f, command: /m, _meta: {when: 2024-01-01, big: 99999999999999999999}}",
            {
                "name": "f",
                "command": "/m",
                "args": [],
                "env": [],
                "_meta": {"when": "2024-01-01", "big": "99999999999999999999"},
            },
        ),
    ],
)
def test_a_server_is_passed_on_as_acp_takes_it(written: str, sent: dict[str, Any]) -> None:
    reading = entry(f"mcpServers: [{written}]")
    assert reading.problems == ()
    servers = the_agent(reading).mcp_servers
    assert msgspec.json.decode(msgspec.json.encode(servers)) == [sent]
