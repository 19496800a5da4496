"""Whatever is queued and runs, the plan keeps its rules, and everyone's turn comes."""

from hypothesis import given
from hypothesis import strategies as st

from sidekicks.contract.ids import AgentId, ChannelId, TurnId
from sidekicks.contract.state import WaitsFor
from sidekicks.turns.schedule import Running, Waiting, plan_turns

channels = st.sampled_from([ChannelId(name) for name in ("c1", "c2", "c3", "c4")])
agents = st.sampled_from([AgentId(name) for name in ("alice", "bob", "carol", "dave")])


class Office:
    """A queue and what runs, as `turns` keeps them; every agent has a place unless `full`."""

    def __init__(self, max_answering: int) -> None:
        self.max_answering = max_answering
        self.queue: list[Waiting] = []
        self.running: dict[TurnId, Running] = {}
        self.full: set[AgentId] = set()
        self.begun: list[TurnId] = []
        self._count = 0

    def send(self, channel: ChannelId, agent: AgentId) -> None:
        self._count += 1
        self.queue.append(Waiting(TurnId(f"t{self._count}"), channel, agent))

    def end(self, turn_id: TurnId) -> None:
        del self.running[turn_id]

    def withdraw(self, index: int) -> None:
        self.queue.pop(index)

    def ask(self, turn_id: TurnId, *, asks: bool) -> None:
        turn = self.running[turn_id]
        self.running[turn_id] = Running(turn.channel_id, turn.agent_id, asks)

    def plan(self) -> None:
        """Plan, start what may start, and look at the rules."""
        plan = plan_turns(
            self.queue,
            self.running.values(),
            self.max_answering,
            lambda agent: WaitsFor(kind="place") if agent in self.full else None,
        )
        # Every turn of the queue is either started or told what it waits for, and none twice.
        told = [*plan.start, *plan.waits]
        assert sorted(told) == sorted(turn.turn_id for turn in self.queue)
        order = [turn.turn_id for turn in self.queue]
        assert plan.start == [turn_id for turn_id in order if turn_id in plan.start]
        generated = sum(not turn.asks for turn in self.running.values())
        by_id = {turn.turn_id: turn for turn in self.queue}
        for turn_id in plan.start:
            turn = by_id[turn_id]
            self.queue.remove(turn)
            self.running[turn_id] = Running(turn.channel_id, turn.agent_id)
            self.begun.append(turn_id)
        runs = list(self.running.values())
        assert len({turn.channel_id for turn in runs}) == len(runs), "two in one conversation"
        assert len({turn.agent_id for turn in runs}) == len(runs), "one agent twice"
        # A turn that goes on after its question may bring it above; none starts above.
        generating = sum(not turn.asks for turn in runs)
        assert generating <= max(self.max_answering, generated), "more than may answer"
        for turn_id in plan.start:
            assert by_id[turn_id].agent_id not in self.full, "started without a place"


@st.composite
def offices(draw: st.DrawFn) -> Office:
    """Return an office after a while of random work."""
    office = Office(draw(st.integers(1, 3)))
    for step in draw(st.lists(st.sampled_from(["send", "send", "end", "ask", "back", "full"]))):
        running = sorted(office.running)
        if step == "send":
            office.send(draw(channels), draw(agents))
        elif step == "end" and running:
            office.end(draw(st.sampled_from(running)))
        elif step == "ask" and running:
            office.ask(draw(st.sampled_from(running)), asks=draw(st.booleans()))
        elif step == "back" and office.queue:
            office.withdraw(draw(st.integers(0, len(office.queue) - 1)))
        elif step == "full":
            office.full = draw(st.sets(agents, max_size=2))
        office.plan()
    return office


@given(offices())
def test_no_interleaving_breaks_a_rule(office: Office) -> None:
    office.plan()
    before = list(office.queue)
    office.plan()
    assert office.queue == before, "a plan that was carried out leaves nothing to start"


@given(offices(), st.data())
def test_everybodys_turn_comes_and_the_longest_waiting_goes_first(
    office: Office, data: st.DataObject
) -> None:
    office.full.clear()
    while office.queue:
        for turn_id in list(office.running):
            office.ask(turn_id, asks=False)
        office.plan()
        if office.queue:
            head = office.queue[0]
            # Whatever ends, nobody behind the head in its conversation begins before it; and no
            # other turn of its agent, once only the agent keeps the head waiting.
            free = all(turn.channel_id != head.channel_id for turn in office.running.values())
            rivals = {
                turn.turn_id
                for turn in office.queue[1:]
                if turn.channel_id == head.channel_id or (free and turn.agent_id == head.agent_id)
            }
            office.end(data.draw(st.sampled_from(sorted(office.running))))
            office.plan()
            assert head not in office.queue or not rivals & set(office.begun)
