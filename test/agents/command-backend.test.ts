import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandAgentSchema } from '../../src/agents/backends/command/create-command-backend.ts';
import type { Brief } from '../../src/agents/port.ts';
import { lastJson } from '../../src/agents/replies/last-json.ts';
import { executor } from '../../src/agents/roles/executor.ts';
import { shippedPrompt } from '../../src/agents/roles/prompts/read-prompts.io.ts';
import { commandProgram } from '../helpers/command-program.ts';
import { abort, go, info, pause, steer } from '../helpers/role-port.ts';
import { answerOf, bench } from '../helpers/worker-bench.ts';

const good = '{"status": "completed", "files_modified": ["a.txt"]}';

/** A program that keeps every prompt it gets and then does `script`. */
const agentOf = (script: string, agent: Readonly<Record<string, unknown>> = {}) => {
  const { workspace, ...at } = commandProgram(script, agent, { ...process.env, MY_KEY: 'k', OTHER: 'o' });
  return { ...at, read: (file: string) => readFileSync(join(workspace, file), 'utf8') };
};
const keep = 'cat >> prompts; echo ---- >> prompts';

describe('the prompt', () => {
  test('comes on stdin, and the answer is the last JSON object of the reply', async () => {
    const { backend, brief, read } = agentOf(`${keep}; echo 'Done: {"status": "draft"}'; echo '${good}'`);
    const at = bench(backend, brief);
    expect(answerOf(await at.turn('implement'))).toMatchObject({ status: 'completed' });
    expect(read('prompts')).toBe('as the brief says----\n');
    expect(at.facts.map((fact) => fact.type)).toEqual([
      'command.started',
      'process.started',
      'command.ended',
    ]);
  });

  test('comes as one argument that no shell reads', async () => {
    const { backend, brief, read } = agentOf(`printf '%s|' "$@" > args; echo '${good}'`, {
      prompt: 'argument',
    });
    const worker = backend.start(brief, { emit: () => {}, output: () => {} });
    const prompt = '-rf; $(touch never) `x`\n"two"';
    answerOf(await worker.turn({ kind: 'implement', prompt, messages: [] }, async () => go()));
    expect(read('args')).toBe(`${prompt}|`);
  });

  test('comes in a file of the session, where the command says so', async () => {
    const { backend, brief, read } = agentOf(`cat "$2" > got; echo '${good}'`, { prompt: 'file' });
    const program = join(brief.workspace, 'agent.sh');
    const placed = agentOf('exit 1', { command: [program, '--file', '{prompt_file}'], prompt: 'file' });
    answerOf(await bench(placed.backend, brief).turn('implement'));
    expect(read('got')).toBe('as the brief says');
    expect(backend.label).toBe(program);
  });

  test('is never redacted for the agent, and its file keeps no secret after the run', async () => {
    const { backend, brief, read } = agentOf(`cp "$1" got; echo "$1" > place; echo '${good}'`, {
      prompt: 'file',
    });
    const prompt = `use ghp_${'Cd4'.repeat(10)}`;
    const worker = backend.start(brief, { emit: () => {}, output: () => {} });
    answerOf(await worker.turn({ kind: 'implement', prompt, messages: [] }, async () => go()));
    expect(read('got')).toBe(prompt);
    expect(readFileSync(read('place').trim(), 'utf8')).toBe('use [redacted]');
  });

  test('comes with a clean environment and what the configuration names', async () => {
    const { backend, brief, read } = agentOf(`echo "$MY_KEY[$OTHER]$RALPH_TASK$X" > env; echo '${good}'`, {
      pass_env: ['MY_KEY', 'LD_PRELOAD'],
      env: { X: 'x' },
    });
    answerOf(await bench(backend, brief).turn('implement'));
    expect(read('env')).toBe('k[]task-1x\n');
    expect(
      commandAgentSchema.safeParse({ type: 'command', command: ['x'], env: { NODE_OPTIONS: 'y' } }).success,
    ).toBe(false);
  });
});

describe('a reply', () => {
  test('of prose, or of nothing, is no result, and its text is kept', async () => {
    const prose = agentOf('echo "All done!"');
    expect(await bench(prose.backend, prose.brief).turn('implement')).toEqual({
      kind: 'no-result',
      raw: 'All done!\n\nAll done!\n',
      wrong: ['the reply contains no JSON object'],
    });
    const silent = agentOf('exit 0');
    expect(await bench(silent.backend, silent.brief).turn('implement')).toEqual({
      kind: 'no-result',
      raw: '',
      wrong: ['the reply contains no JSON object'],
    });
  });

  test('that ends with an error is a failed call, whatever it printed', async () => {
    const { backend, brief } = agentOf(`echo '${good}'; exit 3`);
    expect(await bench(backend, brief).turn('implement')).toMatchObject({
      kind: 'failed',
      fault: { what: expect.stringContaining('exited with code 3') },
    });
    // The last line of its errors is what helps.
    const told = agentOf("echo 'Reading' >&2; echo 'Error: run own login first' >&2; exit 1");
    expect(await bench(told.backend, told.brief).turn('implement')).toMatchObject({
      fault: { what: expect.stringMatching(/exited with code 1, after "Error: run own login first"$/) },
    });
    const missing = agentOf('', { command: ['/no/such/agent'] });
    expect(await bench(missing.backend, missing.brief).turn('implement')).toMatchObject({
      kind: 'failed',
      fault: { what: expect.stringContaining('not started') },
    });
  });

  test('that never comes ends with stop()', async () => {
    const { backend, brief } = agentOf('yes');
    const at = bench(backend, brief);
    const turn = at.turn('implement');
    await at.printed(100_000);
    await at.worker.stop('abort');
    expect(await turn).toEqual({ kind: 'stopped', why: 'abort' });
  });
});

describe('at its boundary, after the reply', () => {
  test('a STEER is a new prompt with the message; an INFO is not worth another call', async () => {
    const answered = good.replace(
      '}',
      ', "steers": [{"id": "?", "verdict": "adjust", "evidence": "it adds"}]}',
    );
    const { backend, brief, read } = agentOf(`${keep}; echo '${answered}'`);
    const at = bench(backend, brief, [go(info('tabs'), steer('greet in French'))]);
    answerOf(await at.turn('implement'));
    expect(read('prompts').split('----\n')[1]).toContain(
      '- tabs\n- [signal of greet in French] greet in French',
    );
    expect(at.facts.find((fact) => fact.type === 'steer.decided')).toMatchObject({
      verdict: 'adjust',
      action: 'STEER applied in-place: greet in French (new prompt)',
    });
    const silent = agentOf(`echo '${good}'`);
    const unanswered = bench(silent.backend, silent.brief, [go(steer('greet in French'))]);
    answerOf(await unanswered.turn('implement'));
    expect(unanswered.facts.find((fact) => fact.type === 'steer.decided')).toMatchObject({
      verdict: 'no answer',
      action: 'no answer from the agent (new prompt)',
    });
    const informed = agentOf(`${keep}; echo '${good}'`);
    await bench(informed.backend, informed.brief, [go(info('tabs'))]).turn('implement');
    expect(informed.read('prompts').split('----\n')).toHaveLength(2);
  });

  test('a pause keeps the reply: nothing is paid for twice', async () => {
    const { backend, brief, read } = agentOf(`${keep}; echo '${good}'`);
    const paused = await bench(backend, brief, [pause]).turn('implement');
    if (paused.kind !== 'paused') throw new Error(paused.kind);
    const continuation: unknown = JSON.parse(JSON.stringify(paused.continuation));
    const done = await bench(backend, brief).turn('implement', { continuation });
    expect(answerOf(done)).toMatchObject({ status: 'completed' });
    expect(read('prompts').split('----\n')).toHaveLength(2);
    await bench(backend, brief).turn('implement', { continuation }, [steer('louder')]);
    expect(read('prompts').split('----\n')).toHaveLength(3);
  });

  test('ABORT ends the turn, and a redefinition goes back to the Planner', async () => {
    const { backend, brief } = agentOf(`echo '${good}'`);
    expect(await bench(backend, brief, [abort]).turn('implement')).toEqual({ kind: 'stopped', why: 'abort' });
    const escalated = await bench(backend, brief, [go(steer('another thing', 'escalate'))]).turn('implement');
    expect(answerOf(escalated)).toMatchObject({ status: 'blocked', escalation: 'another thing' });
  });
});

test('a real procedure works with it: the prompt names the task and the contract', async () => {
  const { backend, brief: plain, read } = agentOf(`${keep}; echo '${good}'`);
  const instructions = shippedPrompt('IMPLEMENT') ?? '';
  const brief: Brief = { ...plain, model: { instructions, fence: 'f00d', reports: [], tools: false } };
  const worker = backend.start(brief, { emit: () => {}, output: () => {} });
  const end = await executor({
    brief,
    emit: () => {},
    checkpoint: async (id) => (id === 'Executor.0' ? go(steer('greet in French')) : go()),
    turn: (ask) => worker.turn(ask, async () => go()),
  });
  expect(end).toMatchObject({ kind: 'outcome', outcome: { status: 'completed', files_modified: ['a.txt'] } });
  const prompt = read('prompts');
  for (const words of [
    'Message from ralph-tui.\n\n# Executor: one task',
    '## Task task-1: Write the greeting',
    '## Orders from the person in charge\n\n- [signal of greet in French] greet in French',
    '## Answer',
  ])
    expect(prompt).toContain(words);
  expect(existsSync(join(brief.workspace, 'never'))).toBe(false);
});

test('the last JSON object is found among prose, fences and broken braces', () => {
  expect(lastJson('```json\n{"a": {"b": 1}}\n```\nBye.')).toEqual({ a: { b: 1 } });
  expect(lastJson('{"a": 1} then {"b": 2}')).toEqual({ b: 2 });
  expect(lastJson('use {braces} here {"ok": true} }')).toEqual({ ok: true });
  expect(lastJson('{"a": [1, 2,], "b": "x,}",\n}\nDone, {really}.')).toEqual({ a: [1, 2], b: 'x,}' });
  expect(lastJson('no object')).toBeUndefined();
  expect(lastJson('{'.repeat(500_000))).toBeUndefined();
});
