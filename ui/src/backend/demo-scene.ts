/** What there is to see in the demo. */
import type { Message, Part, Permission, Snapshot } from "../contract/generated";
import { makeAgent, makeChannel, makeMessage } from "./fake";

const DIFF = {
  type: "diff" as const,
  path: "/home/ann/work/alice/client.py",
  oldText: "def fetch(url):\n    for attempt in range(3):\n        yield get(url)\n",
  newText: "def fetch(url):\n    for pause in backoff(0.2, 1.0, 5.0):\n        yield get(url)\n",
};

export const ANSWER = `The first retries **every** error three times; the second only what is safe to repeat, with growing pauses. The second is the one to keep: a repeated \`POST\` could bill twice.

| policy | repeats | pause |
| :-- | --: | :-: |
| \`range(3)\` | 3 | none |
| \`backoff\` | 3 | 0.2 s, 1 s, 5 s |

- [x] read both
- [ ] change the callers
  1. in \`client.py\`:

     \`\`\`python
     for pause in backoff(0.2, 1.0, 5.0):
         try_again()
     \`\`\`

\`\`\`python
def fetch(url: str, pauses=(0.2, 1.0, 5.0)) -> bytes:
    """The body of url; retries what is safe to repeat."""
    for pause in pauses:
        sleep(pause)  # grows
    return b""
\`\`\`

See [the guide](https://example.org/retry) or <img src=x onerror=alert(1)> for more.
`;

const PERMISSION: Permission = {
  permissionId: "q1",
  channelId: "c1",
  agentId: "alice",
  turnId: "t1",
  askedAt: "2026-11-30T10:41:10Z",
  toolCall: {
    toolCallId: "call2",
    title: "Edit `client.py`",
    kind: "edit",
    locations: [{ path: DIFF.path, line: 41 }],
    content: [DIFF],
    input: null,
  },
  options: [
    { optionId: "once", name: "Allow once", kind: "allow_once" },
    { optionId: "always", name: "Always allow edits", kind: "allow_always" },
    { optionId: "no", name: "Reject", kind: "reject_once" },
  ],
};

function tool(id: string, more: Partial<Extract<Part, { type: "tool" }>>): Part {
  return {
    type: "tool",
    partId: id,
    toolCallId: id,
    title: "",
    kind: null,
    status: "completed",
    locations: [],
    content: [],
    input: null,
    output: null,
    ...more,
  };
}

const PARTS: readonly Part[] = [
  { type: "thought", partId: "a", text: "They want the *difference*." },
  {
    type: "plan",
    partId: "plan",
    entries: [
      { content: "Read both policies", status: "completed", priority: "high" },
      { content: "Compare them", status: "in_progress", priority: "high" },
      { content: "Change the callers", status: "pending", priority: "low" },
    ],
  },
  tool("call1", {
    title: "Read `client.py`",
    kind: "read",
    locations: [{ path: DIFF.path, line: 40 }],
    content: [{ type: "text", text: "def fetch(url):\n    …" }],
    input: { path: "client.py" },
  }),
  { type: "text", partId: "b", text: ANSWER },
];

const MORE: readonly Part[] = [
  tool("x1", {
    title: "Run the tests",
    kind: "execute",
    status: "failed",
    input: { command: "pytest -q tests" },
    content: [
      { type: "terminal", terminalId: "1", output: "\u001b[31m1 failed\u001b[0m, 12 passed\n" },
    ],
  }),
  tool("x2", { title: "", kind: "teleport", status: "in_progress" }),
  tool("x3", { title: "Edit `client.py`", kind: "edit", content: [DIFF] }),
  { type: "note", partId: "n1", text: "", raw: { sessionUpdate: "novelty", value: 3 } },
  { type: "text", partId: "z", text: "That is all." },
];

export function history(): Message[] {
  const user = (id: string, at: string, position: number, text: string): Message =>
    makeMessage(id, { createdAt: at, position, parts: [{ type: "text", partId: "p", text }] });
  const answer = (id: string, at: string, more: Partial<Message>): Message =>
    makeMessage(id, { author: "alice", createdAt: at, ...more });
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  const today = new Date().toISOString();
  return [
    user("h1", yesterday, 1, "run the tests"),
    answer("h2", yesterday, {
      position: 2,
      turnId: "th",
      parts: MORE,
      ending: { outcome: "failed", durationMs: 41_200, reason: "exit code 137; out of memory" },
    }),
    user("m1", today, 3, "@alice @bob compare the two retry policies in `client.py`"),
    answer("m2", today, { position: 4, turnId: "t1" }),
  ];
}

export const SNAPSHOT: Partial<Snapshot> = {
  agents: [
    makeAgent("alice", { state: "waiting", memory: 1.2e9 }),
    makeAgent("bob", { memory: 0.7e9, where: "container my-box", runtime: "container" }),
    makeAgent("garfield", { state: "stopped" }),
    makeAgent("milo", {
      state: "failed",
      where: "sandbox milo-sbx",
      runtime: "sbx",
      failure: {
        code: "command_not_found",
        message:
          "The command mm was not found. Install it, or write its whole path in the configuration.",
        methods: [],
        stderr: "env: mm: No such file or directory\n",
      },
    }),
    makeAgent("notes", { converses: false, state: "stopped" }),
  ],
  channels: [
    makeChannel("c1", { kind: "channel", name: "general", members: ["alice", "bob"] }),
    makeChannel("c2", { name: "Bob", members: ["bob"], unread: 2 }),
    makeChannel("c4", { name: "Milo", members: ["milo"] }),
  ],
  turns: [
    {
      turnId: "t1",
      channelId: "c1",
      agentId: "alice",
      state: "running",
      userMessageId: "m1",
      queuedAt: "2026-11-30T10:41:00Z",
      messageId: "m2",
      startedAt: "2026-11-30T10:41:00Z",
      waitsFor: null,
      stopping: false,
      quiet: false,
      parts: [
        ...PARTS,
        tool("call2", { title: "Edit `client.py`", kind: "edit", status: "pending" }),
      ],
    },
    {
      turnId: "t2",
      channelId: "c1",
      agentId: "bob",
      state: "queued",
      userMessageId: "m1",
      queuedAt: "2026-11-30T10:41:00Z",
      messageId: null,
      startedAt: null,
      waitsFor: { kind: "turn", agentId: "alice", channelId: null, children: [] },
      stopping: false,
      quiet: false,
      parts: [],
    },
  ],
  sessions: [
    {
      channelId: "c1",
      agentId: "alice",
      options: [
        {
          optionId: "mode",
          name: "Mode",
          category: "mode",
          source: "config",
          value: "ask",
          choices: [
            { value: "ask", name: "Ask first" },
            { value: "code", name: "Code" },
          ],
        },
      ],
      usage: { used: 6100, size: 32_000 },
    },
  ],
  permissions: [PERMISSION],
};
