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

    class Meta:
        table_name = "turn"


class SessionModel(Model):
    """The ACP session of an agent in a channel, as last opened."""

    channel_id = CharField()
    agent_id = CharField()
    acp_session_id = TextField()
    told = BooleanField(default=False)
    """Whether this session has answered an ordinary prompt."""

    class Meta:
        table_name = "session"
        primary_key = CompositeKey("channel_id", "agent_id")


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
    AgentCommandsModel,
    SettingModel,
)
