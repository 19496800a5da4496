"""What an agent told of itself, in words."""

from collections.abc import Sequence

from sidekicks.acp import AgentCapabilities, Initialized, SessionOpened
from sidekicks.agents.doctor.words import say
from sidekicks.agents.options import offered_by
from sidekicks.base.findings import FindingList
from sidekicks.contract.state import SessionOption, SignInMethod


def show_agent(name: str, told: Initialized, found: FindingList) -> None:
    """Say who the agent says that it is, and what it can do."""
    who = told.agent_info
    shown = f"{who.title or who.name} {who.version}".rstrip() if who else name
    found.add("agent", "ok", say("agent", agent=shown, version=told.protocol_version))
    offers = told.agent_capabilities
    abilities = ", ".join(say(ability) for ability in _abilities(offers))
    sentence = say("can", abilities=abilities) if abilities else say("can_nothing")
    reopens = offers.load_session or offers.session_capabilities.resume is not None
    found.add("capabilities", "ok", sentence if reopens else f"{sentence} {say('cannot_reopen')}")


def show_sign_in(methods: Sequence[SignInMethod], *, wanted: bool, found: FindingList) -> None:
    """Say how one signs in, and whether the agent wants that now."""
    details = [_describe_method(method) for method in methods]
    if not wanted:
        sentence = say("sign_in_not_now") if methods else say("sign_in_never")
        found.add("sign_in", "ok", sentence, details=details)
        return
    found.add(
        "sign_in",
        "problem",
        say("sign_in_wanted"),
        advice=say("sign_in_choose") if methods else say("sign_in_elsewhere"),
        details=details,
        failure="sign_in",
    )


def show_session(opened: SessionOpened, seconds: float, found: FindingList) -> None:
    """Say that a session could be opened, and what can be chosen there."""
    options = [_describe_option(option) for option in offered_by(opened)]
    found.add("session", "ok", say("session"), details=options, seconds=seconds)


def _abilities(offers: AgentCapabilities) -> list[str]:
    sessions, prompts, mcp = (
        offers.session_capabilities,
        offers.prompt_capabilities,
        offers.mcp_capabilities,
    )
    abilities = {
        "can_load": offers.load_session,
        "can_resume": sessions.resume is not None,
        "can_list": sessions.list is not None,
        "can_fork": sessions.fork is not None,
        "can_close": sessions.close is not None,
        "can_delete": sessions.delete is not None,
        "can_folders": sessions.additional_directories is not None,
        "can_images": prompts.image,
        "can_audio": prompts.audio,
        "can_embed": prompts.embedded_context,
        "can_http": mcp.http,
        "can_sse": mcp.sse,
        "can_sign_out": offers.auth.logout is not None,
    }
    return [ability for ability, offered in abilities.items() if offered]


def _describe_method(method: SignInMethod) -> str:
    match method.type:
        case "agent":
            return say("method_agent", name=method.name)
        case "terminal" if method.command is not None:
            return say("method_terminal", name=method.name, command=method.command)
        case _:
            return say("method_other", name=method.name, kind=method.type)


def _describe_option(option: SessionOption) -> str:
    return f"{option.name}: {option.value}"
