"""The tables as peewee knows them. `migrations` makes their shape; a test compares the two."""

from peewee import (
    BlobField,
    BooleanField,
    CharField,
    CompositeKey,
    IntegerField,
    Model,
    TextField,
)


class ChannelModel(Model):
    """A conversation. `members` is a JSON array of agent ids."""

    channel_id = CharField(primary_key=True)
    kind = CharField()
    name = TextField()
    members = TextField()
    draft = TextField(default="")
    read_position = IntegerField(default=0)
    created_at = CharField()

    class Meta:
        table_name = "channel"


class MessageModel(Model):
    """A message. `parts` is JSON; `position` is null while it waits in the queue."""

    message_id = CharField(unique=True)
    channel_id = CharField()
    position = IntegerField(null=True)
    author = CharField()
    parts = BlobField()
    created_at = CharField()
    turn_id = CharField(null=True)
    ending = TextField(null=True)
    local_id = CharField(null=True, unique=True)
    as_text = BooleanField(default=False)

    class Meta:
        table_name = "message"
        indexes = ((("channel_id", "position"), False),)


class TurnModel(Model):
    """A turn, kept after its end so that it can be asked for again.

    `state` is queued, running or ended.
    """

    turn_id = CharField(primary_key=True)
    channel_id = CharField()
    agent_id = CharField()
    user_message_id = CharField(index=True)
    message_id = CharField(null=True)
    state = CharField(index=True)
    queued_at = CharField()
    told_session = TextField(null=True)
    """The ACP session that got the message with this turn."""

    class Meta:
        table_name = "turn"


class SessionModel(Model):
    """The ACP session of an agent in a channel, as last opened.

    `mark` is the position up to which the agent was told; `fresh` while no ordinary prompt was.
    """

    channel_id = CharField()
    agent_id = CharField()
    acp_session_id = TextField()
    mark = IntegerField()
    fresh = BooleanField()

    class Meta:
        table_name = "session"
        primary_key = CompositeKey("channel_id", "agent_id")


class RuleModel(Model):
    """A kept answer: what the person always says to a kind of tool of an agent."""

    rule_id = CharField(primary_key=True)
    agent_id = CharField()
    kind = CharField()
    decision = CharField()
    created_at = CharField()

    class Meta:
        table_name = "rule"


class AgentCommandsModel(Model):
    """The slash commands an agent last announced, as JSON."""

    agent_id = CharField(primary_key=True)
    commands = TextField()

    class Meta:
        table_name = "agent_commands"


class SettingModel(Model):
    """A value of the app's own, as JSON."""

    key = CharField(primary_key=True)
    value = TextField()

    class Meta:
        table_name = "setting"


MODELS: tuple[type[Model], ...] = (
    ChannelModel,
    MessageModel,
    TurnModel,
    SessionModel,
    RuleModel,
    AgentCommandsModel,
    SettingModel,
)
