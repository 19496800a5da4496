"""What a page does with an event, on plain JSON: the twin of the page's own `apply`."""

from collections.abc import Callable, Iterable
from typing import Any

Json = dict[str, Any]


def apply_all(snapshot: Json, events: Iterable[Json]) -> Json:
    """Return the snapshot after the events."""
    state: Json = {**snapshot}
    for event in events:
        apply(state, event)
    return state


def apply(state: Json, event: Json) -> None:
    """Change the snapshot by one event."""
    match event["type"]:
        case "agent.changed":
            _put(state, "agents", event["agent"], "agentId")
        case "agent.removed":
            _drop(state, "agents", lambda agent: agent["agentId"] == event["agentId"])
        case "channel.changed":
            _put(state, "channels", event["channel"], "channelId")
        case "session.changed":
            session = {k: event[k] for k in ("channelId", "agentId", "options", "usage")}
            _put(state, "sessions", session, "channelId", "agentId")
        case "turn.queued":
            _put(state, "turns", event["turn"], "turnId")
        case "turn.started":
            _change(
                state,
                event,
                state="running",
                messageId=event["messageId"],
                startedAt=event["startedAt"],
                waitsFor=None,
            )
        case "turn.delta":
            _grow(state, event)
        case "turn.updated":
            told = {key: event[key] for key in ("waitsFor", "stopping", "quiet")}
            _change(state, event, **told)
            if event["part"] is not None and (turn := _turn(state, event)) is not None:
                turn["parts"] = _with(turn["parts"], event["part"], "partId")
        case "turn.ended":
            _drop(state, "turns", lambda turn: turn["turnId"] == event["turnId"])
        case "permission.asked":
            _put(state, "permissions", event["permission"], "permissionId")
        case "permission.closed":
            _drop(state, "permissions", lambda p: p["permissionId"] == event["permissionId"])
        case "problem.raised":
            _put(state, "problems", event["problem"], "problemId")
        case "problem.closed":
            _drop(state, "problems", lambda p: p["problemId"] == event["problemId"])
        case "settings.changed":
            state["app"] = {
                **state["app"],
                "settings": event["settings"],
                "language": event["language"],
            }
        case "config.changed":
            limits = {key: event[key] for key in ("maxRunning", "maxAnswering")}
            state["app"] = {**state["app"], **limits}
            order = event["agentIds"]
            state["agents"] = sorted(state["agents"], key=lambda a: order.index(a["agentId"]))
        case "message.added" | "message.changed" | "message.removed":
            pass  # no part of the snapshot
        case "commands.changed" | "log.added" | "reader.opened" | "resync":
            pass
        case other:
            raise AssertionError(f"an event that nobody applies: {other}")


def apply_messages(messages: list[Json], events: Iterable[Json], channel_id: str) -> list[Json]:
    """Return a conversation's messages after the events, in order."""
    found = {message["messageId"]: message for message in messages}
    for event in events:
        match event["type"]:
            case "message.added" | "message.changed" if event["message"]["channelId"] == channel_id:
                found[event["message"]["messageId"]] = event["message"]
            case "message.removed":
                found.pop(event["messageId"], None)
            case "turn.delta" | "turn.updated" if event["messageId"] in found:
                message = {**found[event["messageId"]]}
                found[event["messageId"]] = message
                if event["type"] == "turn.delta":
                    message["parts"] = _grown(message["parts"], event)
                elif event["part"] is not None:
                    message["parts"] = _with(message["parts"], event["part"], "partId")
            case _:
                pass
    return sorted(found.values(), key=lambda m: (m["position"] is None, m["position"] or 0))


def _grow(state: Json, event: Json) -> None:
    if (turn := _turn(state, event)) is not None:
        turn["parts"] = _grown(turn["parts"], event)


def _grown(parts: list[Json], event: Json) -> list[Json]:
    known = next((part for part in parts if part["partId"] == event["partId"]), None)
    text = "" if known is None else known["text"]
    units = len(text.encode("utf-16-le")) // 2
    assert event["offset"] <= units, "a gap in the text"
    # A delta that is known already (from the snapshot) joins nothing.
    known_units = text.encode("utf-16-le")[: 2 * event["offset"]]
    joined = known_units.decode("utf-16-le") + event["text"]
    if len(joined) < len(text):
        joined = text
    return _with(
        parts, {"type": event["kind"], "partId": event["partId"], "text": joined}, "partId"
    )


def _turn(state: Json, event: Json) -> Json | None:
    """Return a copy of the event's turn that stands in the state instead of it."""
    for index, turn in enumerate(state["turns"]):
        if turn["turnId"] == event["turnId"]:
            copied = {**turn}
            state["turns"] = [*state["turns"][:index], copied, *state["turns"][index + 1 :]]
            return copied
    return None


def _change(state: Json, event: Json, /, **fields: Any) -> None:
    if (turn := _turn(state, event)) is not None:
        turn.update(fields)


def _put(state: Json, key: str, item: Json, *ids: str) -> None:
    state[key] = _with(state[key], item, *ids)


def _with(items: list[Json], item: Json, *ids: str) -> list[Json]:
    wanted = [item[i] for i in ids]
    for index, other in enumerate(items):
        if [other[i] for i in ids] == wanted:
            return [*items[:index], item, *items[index + 1 :]]
    return [*items, item]


def _drop(state: Json, key: str, which: Callable[[Json], bool]) -> None:
    state[key] = [item for item in state[key] if not which(item)]
