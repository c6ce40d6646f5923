import { describe, expect, test } from 'vitest';
import { createAcpBackend } from '../../src/agents/backends/acp/create-acp-backend.ts';
import {
  commandAgentSchema,
  createCommandBackend,
} from '../../src/agents/backends/command/create-command-backend.ts';
import { withCodeTurns } from '../../src/agents/backends/with-code-turns.ts';
import { unknownAgent } from '../../src/agents/profiles/profile.ts';
import type { SpawnCommand } from '../../src/base/process/spawn.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { createSimulatedSession, forger, type SimulatedSession } from '../helpers/engine-session.ts';
import { createInProcessAgents } from '../helpers/in-process-agent.ts';
import { createSimulatedSpawn } from '../helpers/simulated-spawn.ts';

// Loading the SDK takes real time, which a clock that the test moves does not give it.
await import('../../src/agents/backends/acp/connect.io.ts');

/** Two steps of work, so that a command can still follow a message; and one that is the session's last. */
const plan = `goal: Two words
tasks:
  - {id: one, title: One, files: [one.txt], criteria: [one.txt exists], run: [say one, say more], verify: [look one]}
  - {id: two, title: Two, files: [two.txt], criteria: [two.txt exists], run: [say two], verify: [look two], blockedBy: [one]}
`;

const replies = {
  IMPLEMENT: { status: 'completed', summary: ['done'], files_modified: [], steers: [] },
  TASK_REVIEW: { verdict: 'Qualified', criteria: [], reasoning: 'ok', steers: [] },
  SESSION_REVIEW: { assessment: 'ok', goals_achieved: true },
  STAGE: { items: [] },
} as const;

const replyTo = (prompt: string): string => {
  const mode = /^# ([A-Z_]+)$/mu.exec(prompt)?.[1] ?? '';
  return JSON.stringify(Object.entries(replies).find(([name]) => name === mode)?.[1] ?? replies.IMPLEMENT);
};

interface Trial {
  readonly session: SimulatedSession;
  /** Everything that agents and commands really got, in order. */
  readonly got: () => readonly string[];
}

type Open = (more: { readonly program?: (command: SpawnCommand) => string | null }) => Trial;

const settings = (name: string) => ({
  roles: name === 'script' ? {} : { executor: name, reviewer: name, librarian: name },
  planning: { max_cycles: 0 },
  retries: { max_attempts: 3, backoff: [0, 0] },
  concurrency: { max_parallel_executors: 1, max_parallel_reviewers: 1, max_parallel_checks: 0 },
});

const files = (session: SimulatedSession): void => {
  session.disk.put('/work/one.txt', 'one');
  session.disk.put('/work/two.txt', 'two');
};

const script: Open = () => {
  const session = createSimulatedSession({
    plan,
    proofs: 'kept',
    settings: settings('script'),
    program: () => ({ runsMs: 2_000, effect: () => files(session) }),
  });
  return {
    session,
    got: () =>
      session.spawn.started.map(({ env = {} }) => `${env['RALPH_STEER'] ?? ''}\n${env['RALPH_INFO'] ?? ''}`),
  };
};

const command =
  (output: 'text' | 'claude'): Open =>
  ({ program }) => {
    const prompts: string[] = [];
    const session = createSimulatedSession({
      plan,
      proofs: 'kept',
      instructions: (mode) => `# ${mode}`,
      settings: settings('mine'),
      program: (call) => {
        if (call.input === undefined) return {};
        const failed = program?.(call) ?? null;
        if (failed !== null) return { notStarted: failed };
        prompts.push(call.input);
        const text = replyTo(call.input);
        const line =
          output === 'text'
            ? text
            : JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: text });
        return {
          output: [{ afterMs: 2_000, text: `${line}\n` }],
          runsMs: 2_000,
          effect: () => files(session),
        };
      },
      livingBackends: (clock, scripted) => {
        const { disk, random, spawn } = session;
        const agent = commandAgentSchema.parse({ type: 'command', command: ['mine'], output });
        return [
          withCodeTurns(
            createCommandBackend({ disk, spawn, clock, random, env: {} }, 'mine', agent),
            scripted,
          ),
        ];
      },
    });
    return { session, got: () => prompts };
  };

const acp: Open = () => {
  const prompts: (() => readonly string[])[] = [];
  const session = createSimulatedSession({
    plan,
    proofs: 'kept',
    instructions: (mode) => `# ${mode}`,
    settings: settings('mine'),
    livingBackends: (clock, scripted) => {
      const agents = createInProcessAgents(createSimulatedSpawn({ clock }), async ({ prompt, say }) => {
        await new Promise<void>((resolve) => {
          clock.after(2_000, resolve);
        });
        files(session);
        await say(replyTo(prompt));
        return 'end_turn';
      });
      prompts.push(() => agents.prompts);
      const profile = { ...unknownAgent, name: 'mine', label: 'Mine', command: ['mine'] };
      const { disk } = session;
      const backend = createAcpBackend(
        { disk, spawn: agents.spawn, clock, env: {}, version: 'test' },
        profile,
      );
      return [withCodeTurns(backend, scripted)];
    },
  });
  return { session, got: () => prompts.flatMap((read) => read()) };
};

const backends: readonly (readonly [string, Open])[] = [
  ['script', script],
  ['command that prints text', command('text')],
  ['command that prints JSON lines', command('claude')],
  ['acp', acp],
];

/** Moves on until an invocation of the mode works. */
const until = async ({ session }: Trial, fits: () => boolean): Promise<void> => {
  for (let step = 0; !fits(); step += 1) {
    if (step > 4_000) throw new Error(JSON.stringify(session.events.slice(-5)));
    await session.clock.advanceAsync(100);
  }
};

const begin = async ({ session }: Trial): Promise<Engine> => {
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  return engine;
};

const works = ({ session }: Trial, mode: string, count = 1): boolean => {
  const started = session.all('invocation.started').filter((event) => event.mode === mode);
  const invocation = started[count - 1]?.invocation;
  const began = session.events.some(
    (event) =>
      (event.type === 'process.started' || event.type === 'prompt.sent') && event.invocation === invocation,
  );
  return invocation !== undefined && began;
};

/** What the mailbox says of a signal agrees with what was really got. Returns whether it was. */
const agrees = ({ session, got }: Trial, id: string, words: string): boolean => {
  const isGot = got().some((text) => text.includes(words));
  const handled = session.all('signal.handled').filter((event) => event.id === id);
  const undelivered = session.all('signal.undelivered').filter((event) => event.id === id);
  expect(handled.length + undelivered.length, `${words} has one end`).toBe(1);
  // It says itself that nothing followed it.
  if (handled[0]?.action_taken.startsWith('not followed')) return false;
  expect(handled.length === 1, `${words}: ${JSON.stringify([...handled, ...undelivered])}`).toBe(isGot);
  return isGot;
};

const targets = ['Executor', 'ALL', 'Orchestrator', 'Reviewer', 'Librarian'] as const;
const moments = [
  ['the first task', 'IMPLEMENT', 1],
  ['the last task', 'IMPLEMENT', 2],
  ['the first review', 'TASK_REVIEW', 1],
  ['the review of the session', 'SESSION_REVIEW', 1],
  ['the last work of all', 'STAGE', 1],
] as const;

describe.each(backends)('%s: nothing is handled that nobody got', (name, open) => {
  test.each(moments)('during %s', async (_, mode, count) => {
    // Code reviews and stages without a command in a script session.
    if (name === 'script' && mode !== 'IMPLEMENT' && mode !== 'TASK_REVIEW') return;
    const trial = open({});
    const engine = await begin(trial);
    await until(trial, () => works(trial, mode, count));
    const sent = targets.flatMap((target) =>
      (['INFO', 'STEER', 'unproven'] as const).map((kind) => {
        const words = `XYZZY ${kind} to ${target}.`;
        const type = kind === 'INFO' ? 'INFO' : 'STEER';
        const from = kind === 'unproven' ? forger : 'kim@host';
        return [trial.session.publish({ type, target, message: words, from }), words] as const;
      }),
    );
    expect(await trial.session.settle(engine)).toMatchObject({ status: 'completed' });
    for (const [id, words] of sent) agrees(trial, id, words);
    const stopped = trial.session.find('session.stopped')?.seq ?? 0;
    expect(trial.session.all('signal.undelivered').filter(({ seq }) => seq > stopped)).toEqual([]);
  });

  test('the words of PAUSE and RESUME come with the next prompt, or the sender is told', async () => {
    for (const [, mode, count] of moments) {
      if (name === 'script' && mode !== 'IMPLEMENT' && mode !== 'TASK_REVIEW') continue;
      const trial = open({});
      const engine = await begin(trial);
      await until(trial, () => works(trial, mode, count));
      trial.session.publish({ type: 'PAUSE', message: 'XYZZY pausing', from: 'kim@host' });
      await until(trial, () => engine.state().hold?.stage === 'paused');
      trial.session.publish({ type: 'RESUME', message: 'XYZZY resuming', from: 'kim@host' });
      expect(await trial.session.settle(engine)).toMatchObject({ status: 'completed' });
      for (const words of ['XYZZY pausing', 'XYZZY resuming']) {
        const told = trial.session.find('problem.found', ({ fault }) => fault.what.includes(words));
        const isGot = trial.got().some((text) => text.includes(words));
        expect(told === undefined, `${words} during ${mode}`).toBe(isGot);
        // A follower of the session stops reading at its end.
        expect(trial.session.find('session.stopped')?.seq).toBeGreaterThan(told?.seq ?? 0);
      }
    }
  });

  test('a program that dies between the prompt and the archive loses no message, and says of none that it is handled', async () => {
    const trial = open({});
    await begin(trial);
    await until(trial, () => works(trial, 'IMPLEMENT'));
    const sent = (['INFO', 'STEER'] as const).map((type) => {
      const words = `XYZZY ${type} before the crash.`;
      return [trial.session.publish({ type, target: 'Executor', message: words }), words] as const;
    });
    await until(trial, () => trial.session.all('signal.claimed').some(({ id }) => id === sent[1]?.[0]));
    trial.session.kill();
    const again = trial.session.resume();
    expect(await again.start()).toBeNull();
    expect(await trial.session.settle(again)).toMatchObject({ status: 'completed' });
    for (const [id, words] of sent) expect(agrees(trial, id, words), words).toBe(true);
  });
});

test('a program that cannot be started has read nothing: its next try gets the message', async () => {
  let fails = false;
  const trial = command('text')({ program: () => (fails ? 'no such file' : null) });
  const engine = await begin(trial);
  await until(trial, () => works(trial, 'IMPLEMENT'));
  const words = 'XYZZY for the next one.';
  const id = trial.session.publish({ type: 'INFO', task: 'two', message: words });
  let attempts = 0;
  trial.session.watchers.add((event) => {
    if (event.type !== 'invocation.started' || event.task !== 'two') return;
    attempts += 1;
    fails = attempts === 1;
  });
  expect(await trial.session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(attempts).toBeGreaterThan(1);
  expect(agrees(trial, id, words)).toBe(true);
});
