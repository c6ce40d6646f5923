import type { AgentScript } from './script.ts';

type Script = Omit<AgentScript, 'log'>;

const turn = (...actions: AgentScript['turns'][number]['actions']): Script => ({
  turns: [{ actions, again: true }],
});

const edit = { toolCallId: 'asked', title: 'Edit notes.md', kind: 'edit', status: 'pending' };

/** Every way a coding agent was seen, or must be expected, to misbehave (test/README.md, Execution). */
export const misbehaviours = {
  'crashes at start': {
    atStart: [
      { do: 'stderr', text: 'Error: Cannot find module "left-pad"\n' },
      { do: 'exit', code: 3 },
    ],
    turns: [],
  },
  'never answers initialize': { initialize: 'never', turns: [] },
  'never answers session/new': { newSession: 'never', turns: [] },
  'speaks a protocol version of the future': { initialize: { protocolVersion: 99 }, turns: [] },
  'prints garbage before it speaks': {
    atStart: [
      { do: 'raw', text: 'Welcome to \u001b[31mAgent\u001b[0m!\n{"jsonrpc":"2.0","id":}\n[]\n42\n\n\u0007' },
      { do: 'raw', text: '{"hello":"world"}\n' },
    ],
    turns: [{ actions: [{ do: 'say', text: 'after the garbage' }], again: true }],
  },
  'prints garbage in a turn': turn(
    { do: 'raw', text: 'DEBUG half a line of JSON {"jsonrpc":"2.0","method":\n' },
    { do: 'raw', text: '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":7}}\n' },
    { do: 'raw', text: '{"jsonrpc":"2.0","id":4711,"result":{}}\n' },
    { do: 'update', update: { sessionUpdate: 'kind_of_the_future', payload: [1, 2, 3] } },
    {
      do: 'update',
      update: { sessionUpdate: 'tool_call_update', toolCallId: 'never-announced', status: 'completed' },
    },
    { do: 'say', text: 'after the garbage' },
  ),
  'sends one line of 20 MB': turn(
    { do: 'say', text: 'x'.repeat(64) },
    {
      do: 'update',
      update: {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: 'y'.repeat(20_000_000) },
      },
    },
  ),
  'sends one message of 40 MB': turn(
    { do: 'say', text: 'working' },
    {
      do: 'repeat',
      parts: [
        { text: '{"jsonrpc":"2.0","method":"x","params":"', times: 1 },
        { text: 'y'.repeat(1_000), times: 40_000 },
        { text: '"}\n', times: 1 },
      ],
    },
    { do: 'hang' },
  ),
  'sends a message that never ends': turn(
    { do: 'say', text: 'working' },
    { do: 'repeat', parts: [{ text: '{'.repeat(1_000), times: 40_000 }] },
    { do: 'hang' },
  ),
  'answers an unknown id with 120 kB of brackets': turn(
    { do: 'say', text: 'working' },
    {
      do: 'repeat',
      parts: [
        { text: '{"jsonrpc":"2.0","id":4711,"result":', times: 1 },
        { text: '[', times: 60_000 },
        { text: ']', times: 60_000 },
        { text: '}\n', times: 1 },
      ],
    },
    { do: 'hang' },
  ),
  'floods with 50 MB of text': turn({ do: 'flood-text', bytes: 50_000_000 }),
  'floods with 5,000 tool calls': turn({ do: 'flood-tools', calls: 5_000 }),
  'asks 200 permissions at once': turn({ do: 'permissions', times: 200, toolCall: edit }),
  'asks 600 permissions at once': turn({ do: 'permissions', times: 600, toolCall: edit }),
  'ignores cancel': {
    ignores: ['cancel'],
    turns: [{ actions: [{ do: 'say', text: 'working' }, { do: 'hang' }] }],
  },
  'ignores cancel, the end of its input and SIGTERM': {
    ignores: ['cancel', 'SIGTERM', 'end of input'],
    turns: [{ actions: [{ do: 'say', text: 'working' }, { do: 'hang' }] }],
  },
  'forks away': turn({ do: 'fork', command: 'exec sleep 300' }, { do: 'say', text: 'started a server' }),
  'forks away without the marker': turn(
    { do: 'fork', command: 'exec sleep 300', unmarked: true },
    { do: 'say', text: 'started a server' },
  ),
  'exits 0 in a turn, without a result': turn({ do: 'say', text: 'working' }, { do: 'exit', code: 0 }),
  'crashes in a turn': turn(
    { do: 'say', text: 'working' },
    { do: 'stderr', text: 'Segmentation fault\n' },
    { do: 'exit', code: 139 },
  ),
  'ends a turn without a word': turn(),
  'answers prose instead of the contract': turn({
    do: 'say',
    text: 'All done! Everything works great now. ✨',
  }),
  'answers with almost the contract': turn({
    do: 'say',
    text: 'Here you are:\n```json\n{"status": "totally_done", "files": "a.ts"}\n```',
  }),
  'refuses to work': turn({ do: 'end', stopReason: 'refusal' }),
  'runs out of tokens': turn({ do: 'say', text: 'and then' }, { do: 'end', stopReason: 'max_tokens' }),
  'ends for a reason of the future': turn({ do: 'end', stopReason: 'reason_of_the_future' }),
  'fails in a turn': turn({
    do: 'fail',
    code: -32603,
    message: 'Internal error',
    data: { details: 'model overloaded' },
  }),
  'requires a login': { newSession: 'login', authenticate: 'refuse', turns: [] },
  'starts a turn unprompted': {
    turns: [
      {
        actions: [{ do: 'say', text: 'prompted' }],
        afterwards: [
          { do: 'say', text: 'unprompted' },
          { do: 'shell', command: 'echo unprompted' },
        ],
        again: true,
      },
    ],
  },
  'is silent for ever': turn({ do: 'hang' }),
} as const satisfies Readonly<Record<string, Script>>;

export type Misbehaviour = keyof typeof misbehaviours;
