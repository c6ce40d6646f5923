import { methods } from '@agentclientprotocol/sdk';
import { describe, expect, test } from 'vitest';
import type { ToolCalls } from '../../../src/agents/tools.ts';
import { callTool } from '../../../src/mcp/call-tool.ts';
import { createPatience } from '../../../src/mcp/patience.ts';
import { tools as allTools } from '../../../src/mcp/tools/index.ts';
import type { Event } from '../../../src/pipeline/event.ts';
import { defaultSettings } from '../../../src/session/settings.ts';
import type { Signal } from '../../../src/signals/signal.ts';
import type { PromptHandler } from '../../helpers/in-process-agent.ts';
import {
  createLentTools,
  createLiveSession,
  type LiveOptions,
  liveDone,
} from '../../helpers/live-session.ts';

/** A session whose agent stands in its first prompt until `go`; what it does then and in later prompts is `then`. */
const atWork = async (then: PromptHandler, options: LiveOptions = {}) => {
  const gate = Promise.withResolvers<void>();
  let cancels = 0;
  const live = createLiveSession(async (ask) => {
    ask.cancelled.addEventListener('abort', () => {
      cancels += 1;
    });
    if (live.prompts().length === 1) {
      await Promise.race([gate.promise, cancelOf(ask.cancelled)]);
      if (ask.cancelled.aborted) return 'cancelled';
    }
    return then(ask);
  }, options);
  const engine = live.session.begin();
  expect(await engine.start()).toBeNull();
  await live.until(() => live.prompts().length === 1);
  const send = (signal: Partial<Signal> & Pick<Signal, 'type'>) => {
    const sentAt = live.session.clock.now();
    const id = live.session.publish({ from: 'kim', ...signal });
    const life = () => engine.state().signals.get(id);
    return {
      id,
      life,
      /** The signal's own events: type and milliseconds since it was sent. */
      story: (): readonly (readonly [string, number])[] =>
        live.session.events
          .filter((event) => idOf(event) === id)
          .map(({ type, at }) => [type, Date.parse(at) - sentAt] as const),
      end: () => live.session.find('signal.handled', (event) => event.id === id),
    };
  };
  return { ...live, engine, send, go: gate.resolve, cancels: () => cancels };
};

const cancelOf = (cancelled: AbortSignal): Promise<void> =>
  new Promise((resolve) => cancelled.addEventListener('abort', () => resolve()));

const idOf = (event: Event): unknown =>
  event.type === 'signal.pending' ? event.pending.id : 'id' in event ? event.id : null;

const done: PromptHandler = async ({ say }) => {
  await say(liveDone);
  return 'end_turn';
};

/** Performs one of our tools as the server does, and reports its messages as sent. */
const toolResult = async (
  { session }: Pick<Awaited<ReturnType<typeof atWork>>, 'session'>,
  calls: ToolCalls,
  name: string,
  input: unknown = {},
) => {
  const tool = allTools.find((known) => known.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  const patience = createPatience(session.clock, new AbortController().signal);
  const { body, messages } = await callTool(tool, calls, input, patience);
  calls.reached(messages);
  return body;
};

/** Quits; the clock has to move on for that. */
const quit = async ({ engine, session }: Awaited<ReturnType<typeof atWork>>): Promise<void> => {
  void engine.quit('quit');
  await session.settle(engine);
};

const answerWith = (verdict: string): string =>
  `${liveDone.slice(0, -1)}, "steers": [{"id": "it", "verdict": "${verdict}", "evidence": "one.txt is empty"}]}`;

describe('a message', () => {
  test('that nothing can bring in waits for the end of the turn, and is delivered when the agent replies to it', async () => {
    const second = Promise.withResolvers<void>();
    const at = await atWork(async (ask) => {
      if (at.prompts().length === 2) await second.promise;
      return done(ask);
    });
    const info = at.send({ type: 'INFO', target: 'Executor', message: 'Short files' });
    await at.session.clock.advanceAsync(60_000);
    expect(info.life()).toMatchObject({
      stage: 'pending',
      waitsFor: 'reaches the agent on one when this turn ends',
    });
    at.go();
    await at.until(() => at.prompts().length === 2);
    await at.session.clock.advanceAsync(10_000);
    // It was sent, and nothing shows yet that the agent has it.
    expect(info.life()).toMatchObject({ stage: 'claimed' });
    second.resolve();
    await at.until(() => info.life()?.stage === 'handled');
    expect(at.prompts()[1]).toContain('Short files');
    const handled = info.end();
    expect(handled).toMatchObject({ action_taken: 'added to the context with a new prompt at 10:16:10' });
    expect(new Date(handled?.at ?? 0).getUTCSeconds()).toBe(10);
    expect(
      info
        .story()
        .map(([type]) => type)
        .slice(-4),
    ).toEqual(['signal.claimed', 'message.arrived', 'signal.delivered', 'signal.handled']);
    await at.session.settle(at.engine);
    expect(at.prompts()).toHaveLength(2);
  });

  test('that the agent dies before it replies to goes to the next one', async () => {
    const at = await atWork(async (ask) => {
      if (at.prompts().length !== 2) return done(ask);
      throw new Error('the model is gone');
    });
    const info = at.send({ type: 'INFO', target: 'Executor', message: 'Short files' });
    await at.session.clock.advanceAsync(2_000);
    at.go();
    expect(await at.session.settle(at.engine)).toMatchObject({ status: 'completed' });
    expect(at.prompts()[2]).toContain('Short files');
    expect(info.end()).toBeDefined();
  });

  test('that stood in the first prompt of an agent that failed stands in the prompt of the next one', async () => {
    const { session, prompts } = createLiveSession(async (ask) => {
      if (prompts().length === 1) throw new Error('the model is gone');
      return done(ask);
    });
    const engine = session.begin();
    expect(await engine.start()).toBeNull();
    session.publish({ type: 'INFO', target: 'Executor', message: 'Short files' });
    expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
    expect(prompts().map((prompt) => prompt.includes('Short files'))).toEqual([true, true]);
  });
});

describe('STEER', () => {
  test.each([
    ['the answer of the agent decides', {}, 'restart'],
    ['the sender decides', { apply: 'adjust' }, 'adjust'],
  ] as const)('through the steering extension comes into the reply at once; %s', async (_, more, verdict) => {
    const at = await atWork(
      async ({ say, steered }) => {
        await say('working');
        expect(await steered()).toContain('Use bar');
        await say(answerWith('restart'));
        return 'end_turn';
      },
      { steering: true },
    );
    at.go();
    const steer = at.send({ type: 'STEER', target: 'Executor', message: 'Use bar', ...more });
    await at.session.settle(at.engine);
    expect(at.prompts()).toHaveLength(1);
    expect(at.cancels()).toBe(0);
    const delivered = steer.story().find(([type]) => type === 'signal.delivered');
    expect(delivered?.[1]).toBeLessThan(1_100);
    expect(steer.end()?.action_taken).toMatch(
      new RegExp(`^${verdict}: .*\\(through its steering extension at 10:15:0\\d\\)`, 'u'),
    );
  });

  test('comes with the result of the next tool of ours, and without an answer says that there was none', async () => {
    const { tools, calls } = createLentTools();
    const at = await atWork(
      async (ask) => {
        const body = await toolResult(at, calls(), 'check_signals');
        expect(body).toMatchObject({ messages: [{ kind: 'STEER', text: 'Use bar' }] });
        return done(ask);
      },
      { tools },
    );
    const steer = at.send({ type: 'STEER', target: 'Executor', message: 'Use bar' });
    await at.until(() => steer.life() !== undefined);
    expect(steer.life()?.waitsFor).toBe(
      'reaches the agent on one with its next call to a ralph-tui tool; after 30 s without one, this cuts off its reply',
    );
    at.go();
    await at.session.settle(at.engine);
    expect(at.prompts()).toHaveLength(1);
    expect(at.cancels()).toBe(0);
    expect(at.session.find('signal.delivered', ({ id }) => id === steer.id)?.how).toBe('tool-result');
    expect(steer.end()?.action_taken).toMatch(
      /^no answer from the agent \(with the result of a ralph-tui tool at 10:15:0\d\)/u,
    );
  });

  test('cuts the reply off after 30 s in which nothing brought it in, and no sooner', async () => {
    const at = await atWork(async ({ say }) => {
      await say(answerWith('restart'));
      return 'end_turn';
    });
    const steer = at.send({ type: 'STEER', target: 'Executor', message: 'Use bar' });
    await at.session.clock.advanceAsync(29_000);
    expect([at.cancels(), at.prompts().length, steer.life()?.stage]).toEqual([0, 1, 'pending']);
    await at.until(() => at.prompts().length === 2);
    expect(at.cancels()).toBe(1);
    expect(at.prompts()[1]).toContain('Use bar');
    // Some agents forget the prompt with the reply that was cut off.
    expect(at.prompts()[1]).toContain(at.prompts()[0]);
    await at.session.settle(at.engine);
    expect(steer.end()?.action_taken).toMatch(
      /^restart: .*\(with a new prompt at 10:15:3\d, after its reply was interrupted, which took 0.0 s\)/u,
    );
    expect(at.session.all('reply.ended').map(({ stop }) => stop)).toEqual(['cancelled', 'end_turn']);
  });

  test('that redefines the task ends the reply, and no prompt carries it', async () => {
    const at = await atWork(done);
    const steer = at.send({ type: 'STEER', target: 'Executor', message: 'Write a game', apply: 'escalate' });
    const escalated = () => at.session.find('invocation.ended', ({ escalation }) => escalation !== undefined);
    await at.until(() => escalated() !== undefined);
    expect(
      at.session.all('prompt.sent').filter(({ invocation }) => invocation === escalated()?.invocation),
    ).toHaveLength(1);
    expect(at.cancels()).toBe(1);
    expect(steer.end()?.action_taken).toContain('(not sent)');
    await quit(at);
  });

  test('to ALL is archived once, with what the agent and the orchestrator did', async () => {
    const at = await atWork(async ({ say }) => {
      await say(answerWith('adjust'));
      return 'end_turn';
    });
    const steer = at.send({ type: 'STEER', message: 'Use bar' });
    await at.session.settle(at.engine);
    expect(steer.end()?.action_taken).toMatch(
      /Orchestrator~1: kept as guidance for later invocations · Executor~Executor-5: adjust: .*with a new prompt at/u,
    );
    expect(at.session.all('signal.handled').filter(({ id }) => id === steer.id)).toHaveLength(1);
  });
});

describe('PAUSE', () => {
  test('waits for the reply, sends nothing while it holds, and after RESUME goes on in the same attempt', async () => {
    const at = await atWork(async ({ say }) => {
      if (at.prompts().length === 1) {
        await say('Half of it.');
        return 'end_turn';
      }
      await say(liveDone);
      return 'end_turn';
    });
    const pause = at.send({ type: 'PAUSE' });
    await at.until(() => pause.life()?.stage === 'handled');
    expect(pause.end()?.action_taken).toBe('pausing: waiting for Executor on one');
    await at.session.clock.advanceAsync(20_000);
    expect(at.engine.state().hold?.stage).toBe('pausing');
    at.go();
    await at.until(() => at.engine.state().hold?.stage === 'paused');
    await at.session.clock.advanceAsync(600_000);
    expect([at.prompts().length, at.cancels()]).toEqual([1, 0]);
    const resume = at.send({ type: 'RESUME', message: 'Go on' });
    expect(await at.session.settle(at.engine)).toMatchObject({ status: 'completed' });
    expect(resume.end()?.action_taken).toBe('resumed');
    expect(at.session.all('invocation.started').filter(({ role }) => role === 'Executor')).toHaveLength(1);
    expect(at.prompts()).toHaveLength(2);
    expect(at.prompts()[1]).toContain('Go on');
  });

  test('cuts off a reply that goes on after 25 s, keeps its words, and continues it after RESUME', async () => {
    const at = await atWork(done);
    at.send({ type: 'PAUSE' });
    await at.until(() => at.engine.state().hold !== null);
    await at.session.clock.advanceAsync(24_000);
    expect([at.engine.state().hold?.stage, at.cancels()]).toEqual(['pausing', 0]);
    await at.session.clock.advanceAsync(3_000);
    expect([at.engine.state().hold?.stage, at.cancels()]).toEqual(['paused', 1]);
    expect(at.session.all('finding.noted').map(({ text }) => text)).toContain(
      'its reply was cut off for the pause; its words so far are kept',
    );
    await at.session.clock.advanceAsync(600_000);
    expect(at.prompts()).toHaveLength(1);
    at.send({ type: 'RESUME' });
    expect(await at.session.settle(at.engine)).toMatchObject({ status: 'completed' });
    expect(at.prompts()).toHaveLength(2);
  });

  test('gives a reply that outlived one pause as long in the next', async () => {
    const at = await atWork(done);
    at.send({ type: 'PAUSE' });
    await at.until(() => at.engine.state().hold !== null);
    await at.session.clock.advanceAsync(10_000);
    at.send({ type: 'RESUME' });
    await at.until(() => at.engine.state().hold === null);
    at.send({ type: 'PAUSE' });
    await at.until(() => at.engine.state().hold !== null);
    await at.session.clock.advanceAsync(24_000);
    expect([at.engine.state().hold?.stage, at.cancels()]).toEqual(['pausing', 0]);
    await at.session.clock.advanceAsync(3_000);
    expect([at.engine.state().hold?.stage, at.cancels()]).toEqual(['paused', 1]);
    at.send({ type: 'RESUME' });
    expect(await at.session.settle(at.engine)).toMatchObject({ status: 'completed' });
  });

  test('lets a command that runs end, and cuts the reply off with it', async () => {
    const command = Promise.withResolvers<void>();
    const at = await atWork(async (ask) => {
      if (at.prompts().length > 1) return done(ask);
      const update = (content: object) =>
        ask.client.notify('session/update', {
          sessionId: ask.sessionId,
          update: { toolCallId: 'c1', ...content },
        });
      await update({ sessionUpdate: 'tool_call', title: 'npm test', kind: 'execute', status: 'in_progress' });
      await command.promise;
      await update({ sessionUpdate: 'tool_call_update', status: 'completed' });
      await cancelOf(ask.cancelled);
      return 'cancelled';
    });
    at.go();
    await at.until(() => at.session.all('tool.started').length > 0);
    at.send({ type: 'PAUSE' });
    await at.until(() => at.engine.state().hold !== null);
    await at.session.clock.advanceAsync(300_000);
    expect([at.engine.state().hold?.stage, at.cancels()]).toEqual(['pausing', 0]);
    command.resolve();
    await at.until(() => at.engine.state().hold?.stage === 'paused');
    expect([at.prompts().length, at.cancels()]).toEqual([1, 1]);
  });

  test('that ends in time cuts nothing off', async () => {
    const at = await atWork(done);
    at.send({ type: 'PAUSE' });
    await at.until(() => at.engine.state().hold !== null);
    await at.session.clock.advanceAsync(10_000);
    at.send({ type: 'RESUME' });
    await at.until(() => at.engine.state().hold === null);
    await at.session.clock.advanceAsync(60_000);
    expect(at.cancels()).toBe(0);
    at.go();
    expect(await at.session.settle(at.engine)).toMatchObject({ status: 'completed' });
    expect(at.prompts()).toHaveLength(1);
  });

  test('holds a call of our tools, and cuts the reply off before the call would return', async () => {
    const { tools, calls } = createLentTools();
    const at = await atWork(
      async ({ say, cancelled }) => {
        if (at.prompts().length > 1) await say(liveDone);
        else void toolResult(at, calls(), 'check_signals');
        if (at.prompts().length > 1) return 'end_turn';
        await cancelOf(cancelled);
        return 'cancelled';
      },
      { tools },
    );
    at.send({ type: 'PAUSE' });
    await at.until(() => at.engine.state().hold !== null);
    at.go();
    await at.session.clock.advanceAsync(23_000);
    expect(at.engine.state().hold?.stage).toBe('pausing');
    await at.session.clock.advanceAsync(4_000);
    expect(at.engine.state().hold?.stage).toBe('paused');
    expect(at.prompts()).toHaveLength(1);
    at.send({ type: 'RESUME' });
    expect(await at.session.settle(at.engine)).toMatchObject({ status: 'completed' });
    expect(at.prompts()).toHaveLength(2);
  });

  test('that ends while a call of our tools waits lets the same reply go on', async () => {
    const { tools, calls } = createLentTools();
    const at = await atWork(
      async (ask) => {
        expect(await toolResult(at, calls(), 'check_signals')).toEqual({ checked: true });
        return done(ask);
      },
      { tools },
    );
    at.send({ type: 'PAUSE' });
    await at.until(() => at.engine.state().hold !== null);
    at.go();
    await at.session.clock.advanceAsync(20_000);
    at.send({ type: 'RESUME' });
    expect(await at.session.settle(at.engine)).toMatchObject({ status: 'completed' });
    expect(at.prompts()).toHaveLength(1);
  });

  test('is there at once where the agent waits for a permission, and withholds the answer until RESUME', async () => {
    let chosen: unknown = null;
    const at = await atWork(
      async (ask) => {
        chosen = await ask.client.request(methods.client.session.requestPermission, {
          sessionId: ask.sessionId,
          toolCall: { toolCallId: 'c1', title: 'curl', kind: 'fetch', status: 'pending' },
          options: [
            { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
            { optionId: 'no', name: 'No', kind: 'reject_once' },
          ],
        });
        return done(ask);
      },
      { attended: true },
    );
    at.go();
    await at.until(() => at.session.find('permission.asked') !== undefined);
    const pause = at.send({ type: 'PAUSE' });
    await at.until(() => pause.life()?.stage === 'handled');
    expect(pause.end()?.action_taken).toBe('paused');
    expect(at.engine.state().hold?.stage).toBe('paused');
    const request = at.session.find('permission.asked')?.request ?? '';
    expect(at.engine.permit({ request, decision: 'once', by: 'kim' })).toBeNull();
    await at.session.clock.advanceAsync(3_600_000);
    expect(chosen).toBeNull();
    // Nothing runs that the pause could wait for.
    expect(at.session.all('finding.noted').map(({ text }) => text)).toEqual([]);
    at.send({ type: 'RESUME' });
    expect(await at.session.settle(at.engine, () => {}, 60_000)).toBeDefined();
    expect(chosen).toEqual({ outcome: { outcome: 'selected', optionId: 'yes' } });
    expect(at.prompts()).toHaveLength(1);
  });
});

test('a call whose request nobody answered before an ABORT is unanswered, not failed', async () => {
  const at = await atWork(
    async (ask) => {
      const toolCall = { toolCallId: 'c1', title: 'curl', kind: 'fetch', status: 'pending' } as const;
      const { sessionId } = ask;
      await ask.client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: 'tool_call', ...toolCall },
      });
      const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' } as const];
      await ask.client.request(methods.client.session.requestPermission, { sessionId, toolCall, options });
      return done(ask);
    },
    { attended: true },
  );
  at.go();
  await at.until(() => at.session.find('permission.asked') !== undefined);
  at.send({ type: 'ABORT' });
  await at.session.settle(at.engine, () => {}, 60_000);
  expect(at.session.find('tool.ended')).toMatchObject({ ok: false, unanswered: true });
});

test('the reason of a refusal reaches an agent with the refusal, though nothing can join its reply', async () => {
  const at = await atWork(
    async (ask) => {
      if (at.prompts().length > 1) return done(ask);
      await ask.client.request(methods.client.session.requestPermission, {
        sessionId: ask.sessionId,
        toolCall: { toolCallId: 'c1', title: 'curl', kind: 'fetch', status: 'pending' },
        options: [
          { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
          { optionId: 'no', name: 'No', kind: 'reject_once' },
        ],
      });
      if (!ask.cancelled.aborted) await cancelOf(ask.cancelled);
      return 'cancelled';
    },
    { attended: true },
  );
  at.go();
  await at.until(() => at.session.find('permission.asked') !== undefined);
  const why = at.send({ type: 'STEER', target: 'Executor', task: 'one', message: 'Only local files' });
  const request = at.session.find('permission.asked')?.request ?? '';
  expect(at.engine.permit({ request, decision: 'no', by: 'kim', why: 'Only local files' })).toBeNull();
  await at.session.clock.advanceAsync(2_000);
  expect(at.cancels()).toBe(1);
  await at.until(() => at.prompts().length === 2);
  expect(at.prompts()[1]).toContain('Only local files');
  expect(at.session.find('permission.answered')?.decision).toBe('no');
  await at.session.settle(at.engine);
  expect(why.life()?.stage).not.toBe('pending');
});

describe('an order', () => {
  test('CANCEL ends the reply and the agent, marks the task, and no prompt follows', async () => {
    const at = await atWork(done);
    const cancel = at.send({ type: 'CANCEL', task: 'one' });
    await at.session.settle(at.engine);
    expect([at.cancels(), at.running(), at.prompts().length]).toEqual([1, 0, 1]);
    expect(cancel.end()?.action_taken).toBe('one cancelled; its running attempt was stopped');
    expect(at.engine.state().tasks.get('one')?.status).toBe('cancelled');
    expect(at.session.find('invocation.interrupted')?.reason).toBe('cancel');
  });

  test('RETRY ends the agent before the next attempt begins, whose prompt holds the message', async () => {
    const at = await atWork(async (ask) => {
      expect(at.running()).toBe(1);
      return done(ask);
    });
    const retry = at.send({ type: 'RETRY', task: 'one', message: 'Louder' });
    expect(await at.session.settle(at.engine)).toMatchObject({ status: 'completed' });
    expect(retry.end()?.action_taken).toBe('one is open again; its running attempt was stopped');
    expect([at.cancels(), at.prompts().length]).toEqual([1, 2]);
    expect(at.prompts()[1]).toContain('Louder');
    expect(at.session.all('task.started').map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test.each([
    [
      { type: 'SET', set: { 'concurrency.max_parallel_executors': 1 } },
      'set concurrency.max_parallel_executors = 1',
    ],
    [{ type: 'RESUME' }, 'not held'],
    [{ type: 'DRAIN' }, 'draining: waiting for Executor on one'],
  ] as const)('%o is handled within a second and leaves the reply alone', async (signal, action) => {
    const at = await atWork(done);
    const sent = at.send(signal);
    await at.session.clock.advanceAsync(1_000);
    expect(sent.end()?.action_taken).toBe(action);
    expect([at.cancels(), at.prompts().length, at.running()]).toEqual([0, 1, 1]);
    at.go();
    await at.session.settle(at.engine);
    expect(at.prompts()).toHaveLength(1);
    expect(at.engine.state().tasks.get('one')?.status).not.toBe('running');
  });

  test.each([
    ['max_attempts_total', 5, 6, 4],
    ['max_cost', 5, null, 1],
    ['max_duration', 3_600_000, 7_200_000, 1_800_000],
  ] as const)(
    'SET raises limits.%s from no file, for an agent could have written it',
    async (name, now, raised, lowered) => {
      const limits = { ...defaultSettings.limits, [name]: now };
      const at = await atWork(done, { settings: { limits } });
      const key = `limits.${name}`;
      const more = at.send({ type: 'SET', set: { [key]: raised } });
      const less = at.send({ type: 'SET', set: { [key]: lowered } });
      await at.session.clock.advanceAsync(1_000);
      expect(more.life()).toMatchObject({ stage: 'rejected' });
      expect(more.life()?.action).toContain(`SET may lower a limit, but not raise it (${key})`);
      expect(less.end()).toBeDefined();
      expect(at.engine.state().settings.limits[name]).toBe(lowered);
      await quit(at);
    },
  );

  test.each(['permissions', 'commit'])('SET of %s cannot even be written', async (key) => {
    const at = await atWork(done);
    expect(() => at.send({ type: 'SET', set: { [key]: true } })).toThrow('while the session runs');
    await quit(at);
  });

  test('APPROVE and SKIP wait for the knowledge gate and leave the reply alone', async () => {
    const at = await atWork(done);
    const skip = at.send({ type: 'SKIP' });
    await at.session.clock.advanceAsync(5_000);
    expect(skip.life()).toMatchObject({
      stage: 'pending',
      waitsFor: 'waits for the lessons from this session',
    });
    at.go();
    expect(await at.session.settle(at.engine)).toMatchObject({ status: 'completed' });
    expect(skip.end()?.checkpoint).toBe('Orchestrator.approval');
    expect([at.cancels(), at.prompts().length]).toEqual([0, 1]);
  });

  test('ANSWER comes as the result of the call that asked, in the same reply', async () => {
    const { tools, calls } = createLentTools();
    const at = await atWork(
      async (ask) => {
        expect(await toolResult(at, calls(), 'ask_person', { question: 'Which port?' })).toMatchObject({
          answered: true,
          answer: '8080',
        });
        return done(ask);
      },
      { tools, attended: true },
    );
    at.go();
    await at.until(() => at.engine.state().questions.has('ask:one:1'));
    const answer = at.send({ type: 'ANSWER', request: 'ask:one:1', message: '8080' });
    const late = at.send({ type: 'ANSWER', request: 'ask:one:1', message: '9090' });
    expect(await at.session.settle(at.engine)).toMatchObject({ status: 'completed' });
    expect(answer.end()?.action_taken).toBe('the question is answered');
    expect(late.end()?.action_taken).toBe('already answered by kim');
    expect(at.prompts()).toHaveLength(1);
  });

  test('ABORT is handled when the agent is gone, and says so', async () => {
    const at = await atWork(done);
    const abort = at.send({ type: 'ABORT' });
    expect(await at.session.settle(at.engine)).toMatchObject({ status: 'aborted' });
    expect([at.cancels(), at.running(), at.prompts().length]).toEqual([1, 0, 1]);
    const types = at.session.events.map(({ type }) => type);
    expect(types.indexOf('signal.handled')).toBeGreaterThan(types.indexOf('processes.stopped'));
    expect(abort.end()?.action_taken).toMatch(/^aborted: /u);
  });
});
