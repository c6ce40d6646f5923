import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createStore } from '../../components/create-store.ts';
import { selectDetails } from '../../components/details/select-details.ts';
import { selectHeader } from '../../components/frame/select-header.ts';
import { statusOf } from '../../src/cli/report/status-report.ts';
import { formatStatus } from '../../src/cli/report/status-text.ts';
import { totals } from '../../src/cli/report/totals.ts';
import { readJournalOf } from '../../src/cli/session/open-session.ts';
import { createWorld } from '../../src/cli/world.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { eventSentence } from '../../src/words/events/event-sentence.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { runJson, runProgram } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openScreen } from '../helpers/terminal.ts';
import { onlySession, workspaceWith } from '../helpers/workspace.ts';

const fixture = (name: string): string => join(import.meta.dirname, `../fixtures/streams/${name}.jsonl`);

/**
 * A program that plays recorded streams, one for each call, and keeps what it printed as `raw/<task>.<call>.jsonl`. Each call has an agent's session
 * of its own, as in life.
 */
const player = (folder: string, name: string, streams: readonly [stream: string, code: number][]): string => {
  const file = join(folder, `${name}.sh`);
  const cases = streams.map(
    ([stream, code], call) =>
      `${call === streams.length - 1 ? '*' : call}) stream='${stream.startsWith('/') ? stream : fixture(stream)}'; code=${code};;`,
  );
  writeFileSync(
    file,
    `#!/bin/sh
cat > /dev/null
call=$(ls '${folder}' | grep -c '^raw-.*-${name}')
case $call in ${cases.join(' ')} esac
sed -E 's/"(session_id|thread_id)":"[^"]*"/"\\1":"${name}-'$call'"/g' "$stream" | tee "${folder}/raw-$RALPH_TASK-$call-${name}"
exit $code
`,
  );
  chmodSync(file, 0o755);
  return file;
};

interface Sum {
  readonly cost: number;
  readonly input: number;
  readonly output: number;
}

/** What the raw streams say, counted on its own: neither the readers of the program nor its sums take part. */
const countRaw = (folder: string, task = ''): Sum => {
  let [cost, input, output] = [0, 0, 0];
  for (const file of readdirSync(folder).filter((name) => name.startsWith(`raw-${task}`)))
    for (const line of readFileSync(join(folder, file), 'utf8').trim().split('\n')) {
      const paid = /"type":"result".*"total_cost_usd":([\d.]+)/.exec(line)?.[1];
      if (paid !== undefined) cost += Number(paid);
      const own = /"modelUsage":(\{.*\}),"permission_denials"/.exec(line)?.[1] ?? '{}';
      for (const key of ['inputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'])
        for (const [, count] of own.matchAll(new RegExp(`"${key}":(\\d+)`, 'g'))) input += Number(count);
      for (const [, count] of own.matchAll(/"outputTokens":(\d+)/g)) output += Number(count);
      const turn = /"type":"turn\.completed".*"input_tokens":(\d+).*"output_tokens":(\d+)/.exec(line);
      input += Number(turn?.[1] ?? 0);
      output += Number(turn?.[2] ?? 0);
    }
  return { cost, input, output };
};

const countsSchema = z.object({
  costs: z.array(z.object({ amount: z.number(), currency: z.literal('USD') })),
  input_tokens: z.number(),
  output_tokens: z.number(),
  uncounted_replies: z.literal(0),
});
const usageSchema = z.object({
  usage: countsSchema.extend({
    roles: z.record(z.string(), countsSchema),
    tasks: z.record(z.string(), countsSchema),
  }),
});
const asSum = ({ costs, input_tokens: input, output_tokens: output }: z.infer<typeof countsSchema>): Sum => ({
  cost: costs.reduce((sum, { amount }) => sum + amount, 0),
  input,
  output,
});

const eventSchema = z.object({ type: z.string(), text: z.string().optional() });

const plan = `goal: Greet in French
tasks:
  - {id: one, title: First, criteria: [it is done]}
  - {id: two, title: Second, criteria: [it is done], blockedBy: [one]}
  - {id: three, title: Third, criteria: [it is done], blockedBy: [two]}
`;

test('a fallback goes on when a quota is used up, and every place shows what the raw streams sum up to', async () => {
  const folder = tempDir();
  const claude = player(folder, 'claude', [
    ['claude-whole', 0],
    ['claude-limit', 1],
  ]);
  const codex = player(folder, 'codex', [['codex-whole', 0]]);
  const agents = {
    first: { type: 'command', command: [claude], output: 'claude', fallback: 'second' },
    second: { type: 'command', command: [codex], output: 'codex' },
  };
  const workspace = workspaceWith({
    'plan.yaml': plan,
    '.ralph/config.yaml': JSON.stringify({ agents, roles: { executor: 'first' } }),
  });
  const run = await runProgram(['run', '--plan', 'plan.yaml', '--permissions', 'all', '--json'], {
    cwd: workspace,
  });
  expect(run).toMatchObject({ code: 0 });

  const session = basename(onlySession(workspace));
  const read = readJournalOf(createWorld(), sessionPaths(workspace, session));
  const { events } = read;
  const starts = events.flatMap((event) =>
    event.type === 'invocation.started' && event.mode === 'IMPLEMENT' ? [event] : [],
  );
  expect(
    starts.map(({ task, attempt, backend, instead_of }) => [task, attempt, backend, instead_of]),
  ).toEqual([
    ['one', 1, 'first', undefined],
    ['two', 1, 'first', undefined],
    ['two', 2, 'second', 'first'],
    ['three', 1, 'second', 'first'],
  ]);
  expect(starts.flatMap((event) => eventSentence(event) ?? [])).toEqual([
    'two: second takes over from first, whose quota is used up',
    'three: second takes over from first, whose quota is used up',
  ]);

  // What the agent said before a call stands before it.
  const shown = run.stdout
    .trim()
    .split('\n')
    .map((line) => eventSchema.parse(JSON.parse(line)));
  const said = shown.findIndex(({ text }) => text?.includes('I look at the file.') === true);
  expect(said).toBeGreaterThan(0);
  expect(said).toBeLessThan(shown.findIndex(({ type }) => type === 'tool.started'));

  const raw = countRaw(folder);
  expect(raw.cost).toBeGreaterThan(0);
  const { usage } = usageSchema.parse(await runJson(['status'], { cwd: workspace }));
  expect(asSum(usage)).toEqual(raw);
  expect(Object.keys(usage.roles)).toEqual(['Executor']);
  for (const counts of Object.values(usage.roles)) expect(asSum(counts)).toEqual(raw);
  for (const task of ['one', 'two', 'three'])
    expect([task, asSum(usage.tasks[task] ?? usage)]).toEqual([task, countRaw(folder, task)]);

  let journal: Sum = { cost: 0, input: 0, output: 0 };
  for (const event of events) {
    if (event.type === 'agent.usage-reported')
      journal = { ...journal, cost: journal.cost + (event.cost?.amount ?? 0) };
    if (event.type === 'reply.ended' && event.tokens)
      journal = {
        ...journal,
        input: journal.input + event.tokens.input,
        output: journal.output + event.tokens.output,
      };
  }
  expect(journal).toEqual(raw);

  const words = ({ cost, input, output }: Sum): string =>
    [cost > 0 ? `$${cost.toFixed(2)} · ` : '', `${((input + output) / 1_000).toFixed(1)}k tokens`].join('');
  const now = { ms: Date.parse(events.at(-1)?.at ?? ''), offset: 0 };
  const { state } = read;
  expect(formatStatus(statusOf(read, { signals: 0, feedback: 'none' }), state, now)).toMatch(
    new RegExp(`^ *used +${words(raw).replaceAll(/[$.]/g, String.raw`\$&`)}$`, 'm'),
  );
  expect(totals(state)).toContain(`Used: ${words(raw)}`);
  const store = createStore({ clock: createManualClock(), evolve, connection: 'stopped' });
  store.load(events);
  expect(JSON.stringify(selectHeader(store.getState(), now))).toContain(`$${raw.cost.toFixed(2)}`);
  expect(JSON.stringify(selectDetails(store.getState()))).toContain(`used ${words(countRaw(folder, 'one'))}`);
});

test('the screen says until when a used-up quota lasts, by the words of the agent, and a key tries it now', async () => {
  const folder = tempDir();
  const limit = join(folder, 'limit.jsonl');
  const until = new Date(Date.now() + 3 * 3_600_000);
  const resetsAt = String(Math.floor(until.getTime() / 1_000));
  writeFileSync(limit, readFileSync(fixture('claude-limit'), 'utf8').replace('1795402768', resetsAt));
  const claude = player(folder, 'claude', [
    [limit, 1],
    ['claude-whole', 0],
  ]);
  const workspace = workspaceWith({
    'plan.yaml':
      'goal: Greet\nsettings: {gates: []}\ntasks:\n  - {id: one, title: First, criteria: [it is done]}\n',
    '.ralph/config.yaml': JSON.stringify({
      agents: { first: { type: 'command', command: [claude], output: 'claude' } },
      roles: { executor: 'first' },
    }),
  });
  const terminal = openScreen(['run', '--plan', 'plan.yaml', '--permissions', 'all', '--yes'], {
    cwd: workspace,
    columns: 80,
    rows: 24,
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  const two = (value: number): string => String(value).padStart(2, '0');
  // With its day when that is no longer today.
  const day =
    until.getDate() === new Date().getDate() ? '' : `${two(until.getMonth() + 1)}-${two(until.getDate())} `;
  const time = `${day}${two(until.getHours())}:${two(until.getMinutes())}`;
  await terminal.waitFor(`Quota used up: continues automatically at ${time} · R tries now`);
  terminal.press('R');
  // In the list of tasks, or, once the session has ended, in what the end shows over it.
  await terminal.waitFor(/✓ one .*(?:done|2 attempts)/);
});
