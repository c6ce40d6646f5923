import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { outputProfiles } from '../../src/agents/backends/command/output/index.ts';
import { createBackends } from '../../src/agents/backends/index.io.ts';
import type { TurnResult } from '../../src/agents/port.ts';
import type { RoleFact } from '../../src/agents/role-fact.ts';
import { createClock } from '../../src/base/clock.io.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import { commandProgram } from '../helpers/command-program.ts';
import { briefOf, go, steer, taskOf } from '../helpers/role-port.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { answerOf, bench } from '../helpers/worker-bench.ts';

/** A recorded stream. `claude-*` and `codex-*` are what the programs printed against a scripted model; `codex-documented` holds the kinds left. */
const fixture = (name: string): string => join(import.meta.dirname, `../fixtures/streams/${name}.jsonl`);
const lines = (name: string): string => readFileSync(fixture(name), 'utf8');

/** A program that does `script`, taken for one that prints the stream of `output`. */
const play = (output: 'claude' | 'codex', script: string, directives: Parameters<typeof bench>[2] = []) => {
  const { backend, brief } = commandProgram(script, { output });
  const at = bench(backend, brief, directives);
  return {
    at,
    log: () => readFileSync(join(brief.sessionDirectory, 'logs', `${brief.invocation}.agent.log`), 'utf8'),
  };
};

const printing = (name: string, code = 0): string => `cat > /dev/null; cat '${fixture(name)}'; exit ${code}`;

/** The facts of a turn in short lines, without times and process numbers. */
const told = (facts: readonly RoleFact[]): readonly string[] =>
  facts.map((fact) => {
    switch (fact.type) {
      case 'agent.connected':
        return `connected ${[fact.label, fact.version, fact.model, fact.mode].filter(Boolean).join(', ')}`;
      case 'prompt.sent':
        return `prompt ${fact.index} ${fact.why}`;
      case 'thought.noted':
        return `thought ${fact.characters}: ${fact.text}`;
      case 'tool.started':
        return `${fact.call} ${fact.kind}: ${fact.title} [${fact.paths.join(' ')}]`;
      case 'tool.ended':
        return `${fact.call} ${fact.ok ? 'ok' : 'failed'} ${fact.title ?? ''} ${fact.changes.map(({ path, added, removed }) => `${path} +${added} -${removed}`).join(' ')}`.trim();
      case 'agent-plan.noted':
        return `plan ${fact.entries.map(({ text, status }) => `${text}: ${status}`).join(', ')}`;
      case 'agent.usage-reported':
        return `used ${fact.used} of ${fact.size}, ${fact.cost?.amount} ${fact.cost?.currency}`;
      case 'reply.ended':
        return `reply ${fact.index} ${fact.stop}, ${fact.tokens?.input} in, ${fact.tokens?.output} out`;
      case 'finding.noted':
        return fact.text;
      default:
        return fact.type;
    }
  });

const failureOf = (result: TurnResult) => {
  if (result.kind !== 'failed') throw new Error(JSON.stringify(result));
  return result;
};

describe('the stream of Claude Code', () => {
  test('gives text, thoughts, tool calls with their diffs, the plan, tokens and cost', async () => {
    const { at } = play('claude', printing('claude-whole'));
    expect(answerOf(await at.turn('implement'))).toMatchObject({
      files_modified: ['greeting.txt', 'new.txt'],
    });
    expect(told(at.facts)).toEqual([
      'agent.launched',
      'prompt 0 ask',
      'agent.process-started',
      'connected Claude Code, 2.1.197, claude-opus-4-8[1m], acceptEdits',
      'thought 30: The greeting file comes first.',
      'toolu_0003 read: /home/kim/greeter/greeting.txt [/home/kim/greeter/greeting.txt]',
      'plan Read the file: pending',
      'plan Read the file: pending, Change it: pending',
      'toolu_0003 ok',
      'toolu_0007 edit: /home/kim/greeter/greeting.txt [/home/kim/greeter/greeting.txt]',
      'toolu_0008 edit: /home/kim/greeter/new.txt [/home/kim/greeter/new.txt]',
      'plan Read the file: completed, Change it: pending',
      'plan Read the file: completed, Change it: in_progress',
      'toolu_0007 ok  /home/kim/greeter/greeting.txt +1 -1',
      'toolu_0008 ok  /home/kim/greeter/new.txt +2 -0',
      'toolu_0010 execute: cat greeting.txt []',
      'toolu_0010 ok',
      'toolu_0012 execute: touch /opt/outside.txt []',
      'toolu_0012 failed',
      'Claude Code: its permissions refused one tool call',
      'used 5501 of 1000000, 0.053625 USD',
      'reply 0 end_turn, 27500 in, 170 out',
    ]);
    expect(at.output()).toBe(
      'I look at the file.\nDone. {"status": "completed", "files_modified": ["greeting.txt", "new.txt"]}\n',
    );
  });

  test('gives the calls of a sub-agent with their caller and keeps its words, and names what permissions refused', async () => {
    const { at } = play('claude', printing('claude-denied'));
    await at.turn('implement');
    const titles = at.facts.flatMap((fact) =>
      fact.type === 'tool.started' ? [[fact.title, fact.parent]] : [],
    );
    expect(titles).toEqual([
      ['/home/kim/greeter/new.txt', undefined],
      ['Look around', undefined],
      ['/home/kim/greeter/greeting.txt', 'toolu_0003'],
    ]);
    expect(at.facts).toContainEqual({
      type: 'finding.noted',
      text: 'Claude Code: its permissions refused one tool call',
    });
    expect(at.output()).toBe('{"status": "failed"}\n');
    // The result's own count leaves out the sub-agent.
    expect(at.facts.at(-1)).toMatchObject({ type: 'reply.ended', tokens: { input: 27_500, output: 170 } });
  });

  test('with partial messages shows each text and thought once', async () => {
    const { at } = play('claude', printing('claude-partial'));
    answerOf(await at.turn('implement'));
    expect(at.output()).toBe('I look at the file.\n{"status": "completed"}\n');
    expect(at.facts.filter(({ type }) => type === 'thought.noted')).toEqual([
      { type: 'thought.noted', text: 'Hm.', characters: 3 },
    ]);
  });

  test('that reports a used-up limit fails with its sentence and the time it gave, whatever the words', async () => {
    const copy = join(tempDir(), 'stream.jsonl');
    writeFileSync(copy, lines('claude-limit').replace('1795402768', '4000000000'));
    const { at } = play('claude', `cat '${copy}'; exit 1`);
    expect(failureOf(await at.turn('implement'))).toEqual({
      kind: 'failed',
      fault: {
        code: 'agent-quota',
        what: "Claude Code has used up its quota: You've hit your session limit · resets 2:59am (UTC)",
        where: 'mine',
      },
      quotaUntil: 4_000_000_000_000,
    });
    writeFileSync(copy, lines('claude-limit').replace('1795402768', '1000000000'));
    const late = failureOf(await play('claude', `cat '${copy}'; exit 1`).at.turn('implement'));
    expect(late.quotaUntil).toBeGreaterThan(Date.now());
    expect(at.facts.filter(({ type }) => type === 'agent.usage-reported')).toEqual([]);
    const chatty = lines('claude-whole').replaceAll(
      'I look at the file.',
      "You've hit your session limit (429)",
    );
    writeFileSync(copy, chatty);
    expect((await play('claude', `cat '${copy}'`).at.turn('implement')).kind).toBe('answered');
  });

  test.each([
    ['claude-login', 'agent-login', 'Claude Code is not logged in: Invalid API key · Fix external API key'],
    ['claude-turns', 'agent-refused', 'Claude Code stopped: Reached maximum number of turns (1)'],
    ['claude-budget', 'agent-refused', 'Claude Code stopped: Reached maximum budget ($0.001)'],
  ])('%s fails with %s and its own sentence', async (name, code, what) => {
    const { at } = play('claude', printing(name, 1));
    expect(failureOf(await at.turn('implement')).fault).toMatchObject({ code, what });
  });

  test('of a run that its budget ended counts what was used: the sum by model is right, and `usage` is zero', async () => {
    const { at } = play('claude', printing('claude-budget', 1));
    await at.turn('implement');
    expect(at.facts.at(-1)).toMatchObject({ tokens: { input: 5_500, output: 34 } });
    expect(at.facts).toContainEqual(expect.objectContaining({ cost: { amount: 0.010725, currency: 'USD' } }));
  });
});

describe('the stream of Codex', () => {
  test('gives text, commands with their result, changed files and tokens', async () => {
    const { at } = play('codex', printing('codex-whole'));
    answerOf(await at.turn('implement'));
    expect(told(at.facts)).toEqual([
      'agent.launched',
      'prompt 0 ask',
      'agent.process-started',
      'connected Codex',
      'item_1 execute: cat greeting.txt []',
      'item_1 ok',
      'item_2 edit: /home/kim/greeter/greeting.txt, /home/kim/greeter/new.txt [/home/kim/greeter/greeting.txt /home/kim/greeter/new.txt]',
      'item_2 ok',
      'item_3 execute: false []',
      'item_3 failed',
      'reply 0 end_turn, 7200 in, 204 out',
    ]);
    expect(at.output()).toBe('I look at the file.\n{"status": "completed"}\n');
  });

  test('gives reasoning, its list, searches, calls of MCP servers and remarks, and leaves out unknown kinds', async () => {
    const { at } = play('codex', printing('codex-documented'));
    answerOf(await at.turn('implement'));
    expect(told(at.facts)).toEqual([
      'agent.launched',
      'prompt 0 ask',
      'agent.process-started',
      'connected Codex',
      'thought 21: **Scanning the docs**',
      'plan Read the file: pending, Change it: pending',
      'item_2 other: docs.search []',
      'item_2 failed',
      'item_3 fetch: greeting in French []',
      'item_3 ok',
      'plan Read the file: completed, Change it: pending',
      'item_5 delete: old.txt [old.txt]',
      'item_5 failed',
      'Codex: Falling back from WebSockets to HTTPS transport.',
      'plan Read the file: completed, Change it: completed',
      'reply 0 end_turn, 24763 in, 122 out',
    ]);
  });

  test.each([
    [
      'codex-quota',
      'agent-quota',
      'Codex has used up its quota: Quota exceeded. Check your plan and billing details.',
    ],
    ['codex-login', 'agent-login', expect.stringMatching(/^Codex is not logged in: unexpected status 401 /)],
    ['codex-failed', 'agent-refused', expect.stringMatching(/^Codex stopped: We’re currently experiencing/)],
  ])('%s fails with %s, and the reason stands there once', async (name, code, what) => {
    const { at } = play('codex', printing(name, 1));
    expect(failureOf(await at.turn('implement')).fault).toMatchObject({ code, what });
    expect(at.facts.filter(({ type }) => type === 'finding.noted')).toEqual([]);
  });
});

test('the title of a call names files of the workspace from there', () => {
  const titles = (output: 'claude' | 'codex'): readonly unknown[] => {
    const read = outputProfiles[output].reader('/home/kim/greeter');
    return lines(`${output}-whole`)
      .trim()
      .split('\n')
      .flatMap((line) => read(JSON.parse(line)))
      .flatMap((event) =>
        event.kind === 'tool' && event.call.status === 'in_progress' ? [event.call.title] : [],
      );
  };
  expect(titles('claude')).toEqual([
    'greeting.txt',
    'greeting.txt',
    'new.txt',
    'cat greeting.txt',
    'touch /opt/outside.txt',
  ]);
  expect(titles('codex')).toEqual(['cat greeting.txt', 'greeting.txt, new.txt', 'false']);
});

describe('a stream', () => {
  test('with broken lines goes on: they are in the log, and the first is named', async () => {
    const { at, log } = play(
      'claude',
      `echo 'npm notice new version'; echo '{"type": "assistant", "mess'; echo '[1]'; echo; echo to stderr >&2; ${printing('claude-partial')}`,
    );
    answerOf(await at.turn('implement'));
    expect(log().split('\n').toSorted()).toEqual(
      ['npm notice new version', '{"type": "assistant", "mess', '[1]', 'to stderr', ''].toSorted(),
    );
    expect(at.facts.filter(({ type }) => type === 'finding.noted')).toEqual([
      {
        type: 'finding.noted',
        text: "line 1 of Claude Code's output is not a JSON object; it is in logs/Executor-1.agent.log",
      },
    ]);
  });

  test.each([
    ['exit 0', 'Claude Code exited with code 0 and printed no result line'],
    [
      'echo "Segmentation fault" >&2; exit 139',
      'Claude Code exited with code 139 and printed no result line, after "Segmentation fault"',
    ],
    [`cat '${fixture('claude-whole')}'; exit 3`, 'Claude Code exited with code 3'],
  ])('that ends with %j is a failed call', async (script, what) => {
    const { at } = play('claude', script);
    expect(failureOf(await at.turn('implement')).fault).toMatchObject({ code: 'agent-ended', what });
  });

  test('of a program that is not there says so at once', async () => {
    const { at } = play('codex', '');
    const missing = createBackends(
      { disk: createDisk(), spawn: createSpawn(), clock: createClock(), random: createRandom(), env: {} },
      { mine: { type: 'command', command: ['/no/such/codex'], output: 'codex', label: 'My Codex' } },
    ).find(({ name }) => name === 'mine');
    if (!missing) throw new Error('no backend');
    const other = bench(
      missing,
      briefOf({ workspace: tempDir(), sessionDirectory: tempDir(), task: taskOf({}) }),
    );
    expect(failureOf(await other.turn('implement')).fault).toMatchObject({
      code: 'agent-not-found',
      what: expect.stringMatching(/^My Codex cannot be started: /),
    });
    await at.worker.stop('abort');
  });

  test('of a second prompt is a second run: its calls have other ids, and its cost counts again', async () => {
    const { at } = play('claude', printing('claude-whole'), [go(steer('louder'))]);
    answerOf(await at.turn('implement'));
    const calls = at.facts.flatMap((fact) => (fact.type === 'tool.started' ? [fact.call] : []));
    expect(new Set(calls).size).toBe(calls.length);
    expect(at.facts.filter(({ type }) => type === 'agent.usage-reported')).toHaveLength(2);
    expect(at.facts.flatMap((fact) => (fact.type === 'prompt.sent' ? [fact.why] : []))).toEqual([
      'ask',
      'messages',
    ]);
  });

  test.each(['claude', 'codex'] as const)(
    'of %s that is cut anywhere, or holds any line, ends in no exception',
    async (output) => {
      for (const name of [`${output}-whole`, output === 'codex' ? 'codex-documented' : 'claude-partial'])
        for (const line of lines(name).trim().split('\n')) {
          const read = outputProfiles[output].reader('/work');
          const value: unknown = JSON.parse(line);
          if (typeof value !== 'object' || value === null) throw new Error(line);
          for (const key of Object.keys(value))
            for (const odd of [null, 7, 'x', [], {}, [null], { content: 'x' }])
              expect(Array.isArray(read({ ...value, [key]: odd }))).toBe(true);
        }
    },
  );
});
