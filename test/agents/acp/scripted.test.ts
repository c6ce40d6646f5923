import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BackendHost } from '../../../src/agents/port.ts';
import { codex } from '../../../src/agents/profiles/codex.ts';
import { example } from '../../../src/agents/profiles/example.ts';
import { defaultSettings } from '../../../src/session/settings.ts';
import { acpBackend } from '../../helpers/acp-backend.ts';
import { briefOf, go, info, steer, taskOf } from '../../helpers/role-port.ts';
import { misbehaviours } from '../../helpers/scripted-agent/misbehaviours.ts';
import type { Action, AgentScript } from '../../helpers/scripted-agent/script.ts';
import { createScriptedAgent } from '../../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../../helpers/temp-dir.ts';
import { bench } from '../../helpers/worker-bench.ts';

const good = `Done.\n${JSON.stringify({ status: 'completed', summary: ['It works.'] })}`;

const begin = (
  script: Omit<AgentScript, 'log'>,
  directives: Parameters<typeof bench>[2] = [],
  permission?: NonNullable<BackendHost['permission']>,
) => {
  const agent = createScriptedAgent(tempDir(), script);
  const profile = { ...example, command: [agent.command, ...agent.args] };
  const brief = briefOf({ workspace: tempDir(), sessionDirectory: tempDir(), task: taskOf({}), attempt: 1 });
  return { agent, at: bench(acpBackend(profile), brief, directives, permission ? { permission } : {}) };
};

describe('a working agent', () => {
  test('is told through its steering extension at once, and its own verdict stands', async () => {
    const message = steer('mind the gap');
    const answer = {
      status: 'completed',
      steers: [{ id: message.id, verdict: 'adjust', evidence: 'nothing yet' }],
    };
    const { agent, at } = begin(
      {
        steering: 'injected',
        turns: [
          {
            actions: [
              { do: 'say', text: 'working' },
              { do: 'until-steered' },
              { do: 'say', text: JSON.stringify(answer) },
            ],
          },
        ],
      },
      [go(message)],
    );
    const turn = at.turn('implement');
    await agent.until('turn');
    await at.printed(6);
    at.worker.notice?.({ steer: true, now: false });
    expect(await turn).toMatchObject({ kind: 'answered', answer: { status: 'completed' } });
    await at.worker.end?.();
    expect(at.facts.find(({ type }) => type === 'message.arrived')).toMatchObject({
      id: message.id,
      way: 'injected',
    });
    expect(at.facts.find(({ type }) => type === 'steer.decided')).toMatchObject({
      id: message.id,
      verdict: 'adjust',
    });
  });

  test.each([
    ['its reply', { do: 'hang' }],
    [
      'an open permission',
      { do: 'permission', toolCall: { toolCallId: 'c1', title: 'ls', kind: 'execute', status: 'pending' } },
    ],
  ] as const)(
    'is interrupted in %s for a message that does not wait, and gets it with the next prompt',
    async (_, waits) => {
      const message = steer('mind the gap');
      const steers = [{ id: message.id, verdict: 'restart', evidence: 'I had begun' }];
      const asked = Promise.withResolvers<void>();
      const { at } = begin(
        {
          turns: [
            { when: 'as the brief says', actions: [{ do: 'say', text: 'working' }, waits] },
            {
              when: 'mind the gap',
              actions: [{ do: 'say', text: JSON.stringify({ status: 'completed', steers }) }],
            },
          ],
        },
        [go(message)],
        (_ask, over) =>
          new Promise((resolve) => {
            over.addEventListener('abort', () => resolve('cancelled'));
            asked.resolve();
          }),
      );
      const turn = at.turn('implement');
      await (waits.do === 'hang' ? at.printed(6) : asked.promise);
      at.worker.notice?.({ steer: true, now: true });
      expect(await turn).toMatchObject({ kind: 'answered', answer: { status: 'completed' } });
      await at.worker.end?.();
      expect(at.facts.find(({ type }) => type === 'reply.ended')).toMatchObject({ stop: 'cancelled' });
      expect(at.facts.find(({ type }) => type === 'message.arrived')).toMatchObject({
        way: 'prompt',
        detail: expect.stringMatching(
          /^with a new prompt at [\d:]+, after its reply was interrupted, which took 0\.\d s$/,
        ),
      });
      expect(at.facts.find(({ type }) => type === 'steer.decided')).toMatchObject({
        verdict: 'restart',
        action: expect.stringContaining('its reply was interrupted'),
      });
    },
  );

  test('gets the model and the mode that the settings name for its role', async () => {
    const agent = createScriptedAgent(tempDir(), {
      newSession: {
        modes: { currentModeId: 'ask', availableModes: [{ id: 'ask' }, { id: 'plan' }] },
        models: { currentModelId: 'small', availableModels: [{ modelId: 'small' }, { modelId: 'large' }] },
      },
      turns: [{ actions: [{ do: 'say', text: good }] }],
    });
    const settings = { ...defaultSettings, models: { executor: 'large' }, modes: { executor: 'plan' } };
    const brief = briefOf({
      workspace: tempDir(),
      sessionDirectory: tempDir(),
      task: taskOf({}),
      attempt: 1,
      settings,
    });
    const at = bench(acpBackend({ ...example, command: [agent.command, ...agent.args] }), brief);
    expect(await at.turn('implement')).toMatchObject({ kind: 'answered' });
    await at.worker.end?.();
    expect(at.facts.find(({ type }) => type === 'agent.connected')).toMatchObject({
      model: 'large',
      mode: 'plan',
    });
    const asked = agent.log().filter(({ what }) => what === 'request');
    expect(asked).toContainEqual(
      expect.objectContaining({
        method: 'session/set_model',
        params: expect.objectContaining({ modelId: 'large' }),
      }),
    );
    expect(asked).toContainEqual(
      expect.objectContaining({
        method: 'session/set_mode',
        params: expect.objectContaining({ modeId: 'plan' }),
      }),
    );
  });

  test('sees a refused call end at once, whatever it says about it later', async () => {
    const told = join(tempDir(), 'told');
    const edit = { toolCallId: 'edit', title: 'Edit a.txt', kind: 'edit', status: 'pending' };
    const { at } = begin(
      {
        turns: [
          {
            actions: [
              { do: 'permission', toolCall: edit },
              { do: 'until-file', path: told },
              {
                do: 'update',
                update: { sessionUpdate: 'tool_call_update', toolCallId: 'edit', status: 'completed' },
              },
              { do: 'say', text: good },
            ],
          },
        ],
      },
      [],
      async () => 'refuse',
    );
    const turn = at.turn('implement');
    const ends = () => at.facts.filter(({ type }) => type === 'tool.ended');
    await expect.poll(ends).toMatchObject([{ call: 'edit', ok: false, refused: true }]);
    writeFileSync(told, '');
    await turn;
    await at.worker.end?.();
    expect(ends()).toHaveLength(1);
  });

  test('gets one more prompt for a message that still waits when its turn ends', async () => {
    const { at } = begin(
      {
        turns: [
          { when: 'as the brief says', actions: [{ do: 'say', text: good }] },
          { when: 'tabs', actions: [{ do: 'say', text: good }] },
        ],
      },
      [go(info('use tabs'))],
    );
    expect(await at.turn('implement')).toMatchObject({ kind: 'answered' });
    await at.worker.end?.();
    expect(at.facts.filter(({ type }) => type === 'prompt.sent')).toHaveLength(2);
  });

  test('is asked once more for an answer that does not fit, with the field that is wrong', async () => {
    const { at } = begin({
      turns: [
        { when: 'as the brief says', actions: [{ do: 'say', text: '{"status": "fine"}' }] },
        { when: 'status', actions: [{ do: 'say', text: good }] },
      ],
    });
    expect(await at.turn('implement')).toMatchObject({ kind: 'answered', answer: { status: 'completed' } });
    await at.worker.end?.();
  });
});

test.each([
  ['crashes at start', /exited with code 3, after .*left-pad.*its own log is logs\/[\w-]+\.agent\.log/],
  ['speaks a protocol version of the future', /speaks version 99/],
] as const)('an agent that %s fails the turn with one sentence', async (name, what) => {
  const { at } = begin(misbehaviours[name]);
  const result = await at.turn('implement');
  await at.worker.end?.();
  expect(result).toMatchObject({ kind: 'failed' });
  expect(JSON.stringify(result)).toMatch(what);
});

test.each(['prints garbage before it speaks', 'prints garbage in a turn'] as const)(
  'an agent that %s is understood all the same',
  async (name) => {
    const { at } = begin(misbehaviours[name]);
    await at.turn('implement');
    await at.worker.end?.();
    expect(at.output()).toContain('after the garbage');
  },
);

type Refusal = Omit<Extract<Action, { do: 'fail' }>, 'do'>;

/** Turns of one agent that fail with these, one after another. */
const failing = async (errors: readonly Refusal[]): Promise<readonly unknown[]> => {
  const { at } = begin({ turns: errors.map((error) => ({ actions: [{ do: 'fail', ...error }] })) });
  const results: unknown[] = [];
  for (const _ of errors) results.push(await at.turn('implement'));
  await at.worker.end?.();
  return results;
};

const spent: readonly (readonly [name: string, error: Refusal, words: string])[] = [
  ['HTTP 429', { code: 429, message: 'slow down' }, 'slow down'],
  [
    'the limit of a Codex plan',
    {
      code: -32_603,
      message: 'Internal error',
      data: { message: 'You hit your usage limit.', codexErrorInfo: 'usageLimitExceeded' },
    },
    'Internal error: You hit your usage limit.',
  ],
  [
    'the status 429 in an object of Codex',
    {
      code: -32_603,
      message: 'Internal error',
      data: { message: 'Busy.', codexErrorInfo: { responseStreamConnectionFailed: { httpStatusCode: 429 } } },
    },
    'Busy.',
  ],
  [
    "Claude's kind for it",
    { code: -32_603, message: 'Internal error: Spent.', data: { errorKind: 'rate_limit' } },
    'Spent.',
  ],
  ...[
    "You've hit your usage limit · resets 2:59am (UTC)",
    'You’ve hit your session limit',
    'You have exhausted your daily quota on this model.',
    'Quota exceeded. Check your plan and billing details.',
    'Qwen OAuth quota exceeded: try tomorrow',
    'Rate limit exceeded. Try again later.',
  ].flatMap((words) => [
    [`"${words}"`, { code: -32_603, message: `Internal error: ${words}` }, words] as const,
    [
      `"${words}" in the details`,
      { code: -32_603, message: 'Internal error', data: { details: words } },
      words,
    ] as const,
  ]),
];

test('a turn that fails with the words, the status or the kind of a spent quota counts as such', async () => {
  const results = await failing(spent.map(([, error]) => error));
  for (const [at, [name, , words]] of spent.entries())
    expect(results[at], name).toMatchObject({
      kind: 'failed',
      fault: { code: 'agent-quota', what: expect.stringContaining(words) },
      quotaUntil: /\d(?:am|pm)/.test(words) ? expect.any(Number) : null,
    });
});

const unspent: readonly (readonly [name: string, error: Refusal])[] = [
  ['words of the work', { code: -32_603, message: 'Internal error: the test of "rate limit" fails' }],
  ['a quoted sentence', { code: -32_603, message: 'cannot read "You\'ve hit your usage limit"' }],
  ['a number', { code: -32_603, message: 'Internal error', data: { details: 'line 429: quota' } }],
  ['another code', { code: -32_602, message: "You've hit your usage limit" }],
  [
    'another status',
    { code: -32_603, message: 'x', data: { codexErrorInfo: { a: { httpStatusCode: 500 } } } },
  ],
  [
    'another kind',
    { code: -32_603, message: 'Internal error: rate_limit', data: { errorKind: 'overloaded' } },
  ],
];

test('a turn that fails with something like them does not', async () => {
  const results = await failing(unspent.map(([, error]) => error));
  for (const [at, [name]] of unspent.entries())
    expect(results[at], name).toMatchObject({ kind: 'failed', fault: { code: 'agent-refused' } });
});

test.each([
  [
    'an HTTP status',
    { do: 'fail', code: 401, message: '{"error":{"code":401}}' },
    'its key or login was refused (401)',
  ],
  [
    'its whole reply',
    { do: 'say', text: 'Missing environment variable: `MY_KEY`.' },
    'Missing environment variable: `MY_KEY`',
  ],
] as const)(
  'a login that is missing is a login to do, also where the agent says so by %s',
  async (_, says, why) => {
    const agent = createScriptedAgent(tempDir(), { turns: [{ actions: [says] }] });
    const { lacksLogin } = codex;
    const profile = {
      ...example,
      command: [agent.command, ...agent.args],
      login: 'my-agent login',
      lacksLogin,
    };
    const at = bench(acpBackend(profile), briefOf({ workspace: tempDir(), sessionDirectory: tempDir() }));
    const result = await at.turn('implement');
    await at.worker.end?.();
    expect(result).toMatchObject({
      kind: 'failed',
      fault: {
        code: 'agent-login',
        what: `${example.label} is not logged in: ${why}`,
        hint: expect.stringContaining('run `my-agent login` in a terminal'),
      },
    });
  },
);

test.each([
  [{ role: 'Executor', task: taskOf({}) }, 'Executor: task-1 Write the greeting'],
  [
    { role: 'Planner', mode: 'TASK_BREAKDOWN', goal: 'g'.repeat(100) },
    `Planner (TASK_BREAKDOWN): ${'g'.repeat(53)}…`,
  ],
] as const)('an agent that takes a title asks its model for none: %j', async (some, title) => {
  const agent = createScriptedAgent(tempDir(), { turns: [{ actions: [{ do: 'say', text: good }] }] });
  const profile = { ...example, command: [agent.command, ...agent.args], takesTitle: true };
  const brief = briefOf({ workspace: tempDir(), sessionDirectory: tempDir(), ...some });
  const at = bench(acpBackend(profile), brief);
  // The agent knows no such request: its turn does not fail by that.
  expect(await at.turn('implement')).toMatchObject({ kind: 'answered' });
  await at.worker.end?.();
  const named = await agent.until('request', ({ method }) => method === 'session/set_title');
  expect(named).toMatchObject({ params: { title } });
});

test('an agent of an own command that wants a login says what to do, and where its command can stand', async () => {
  const { at } = begin({ turns: [{ actions: [{ do: 'fail', code: -32_000, message: 'no' }] }] });
  const result = await at.turn('implement');
  await at.worker.end?.();
  expect(result).toMatchObject({
    fault: { code: 'agent-login', hint: expect.stringContaining(`agents.${example.name}.login`) },
  });
});

test('an agent that is not installed says what to do', async () => {
  const brief = briefOf({ workspace: tempDir(), sessionDirectory: tempDir(), task: taskOf({}), attempt: 1 });
  const at = bench(acpBackend({ ...example, command: ['no-such-agent'] }), brief);
  expect(await at.turn('implement')).toMatchObject({
    kind: 'failed',
    fault: { code: 'agent-not-found', hint: expect.stringContaining('PATH') },
  });
});
