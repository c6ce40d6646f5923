import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import { settledSteps } from '../../src/observability/settled-steps.ts';
import { foldJournal } from '../../src/observability/state-cache.ts';
import type { Event, EventBody } from '../../src/pipeline/event.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';

const sample = fileURLToPath(new URL('../fixtures/journals/waves.jsonl', import.meta.url));
const lines = readFileSync(sample, 'utf8').trimEnd().split('\n');

const paths = { journal: '/s/journal.jsonl', journalState: '/s/journal.state.json' };
const diskWith = (journal: readonly string[]) => {
  const disk = createSimulatedDisk();
  disk.mkdir('/s');
  disk.put('/s/journal.jsonl', journal.map((line) => `${line}\n`).join(''));
  return disk;
};

test('a journal folds to the state its events give, wherever it ends', () => {
  for (let end = 1; end <= lines.length; end += 1) {
    const disk = diskWith(lines.slice(0, end));
    const { events, problems } = readJournal(disk, '/s/journal.jsonl');
    expect(foldJournal(disk, paths)).toEqual({ state: evolveAll(null, events), problems });
  }
});

test('a third of a short session and more is not parsed', () => {
  const isPast = settledSteps(lines);
  const skipped = lines.filter((line) => isPast(line) !== null);
  expect(skipped.length).toBeGreaterThan(lines.length / 3);
  expect(skipped.map(isPast)).toEqual(skipped.map((line) => JSON.parse(line).seq));
});

test('the steps of what is under way are parsed', () => {
  const isLast = (line: string) => line.includes('"command.started"');
  const running = lines.slice(0, lines.findLastIndex(isLast) + 1);
  const { command } = [...foldJournal(diskWith(running), paths).state.invocations.values()][0] ?? {};
  expect(command).not.toBeNull();
});

test('what is missing in front of skipped lines is reported', () => {
  const cut = lines.findIndex((line) => line.includes('"process.started"'));
  const { problems } = foldJournal(diskWith(lines.toSpliced(cut, 1)), paths);
  expect(problems.map(({ code }) => code)).toEqual(['journal-gap']);
});

test('an environment that names an invocation does not mislead', () => {
  const printed = (body: EventBody, seq: number): string =>
    JSON.stringify({ ...body, seq, at: '2026-02-15T03:15:00.000Z' } satisfies Event);
  const isPast = settledSteps([
    printed({ type: 'task.submitted', task: 'a', attempt: 1, invocation: 'Executor-1', files: [] }, 1),
  ]);
  const command = (invocation: string, other: string, seq: number): string =>
    printed(
      {
        type: 'command.started',
        index: 0,
        of: 1,
        purpose: 'run',
        command: { cmd: 'true', env: { invocation: other } },
        invocation,
        marker: '',
      },
      seq,
    );
  expect([
    isPast(command('Executor-2', 'Executor-1', 2)),
    isPast(command('Executor-1', 'Executor-2', 3)),
  ]).toEqual([null, 3]);
});

test('the journal on a real disk folds as well', () => {
  expect(foldJournal(createDisk(), { journal: sample, journalState: `${sample}.none` }).state).toMatchObject({
    status: 'completed',
    seq: lines.length,
  });
});

test('a fold that fails on an event without what its type needs names the line and the field', () => {
  const at = lines.findIndex((line) => line.includes('"tasks.defined"'));
  const { type, seq, at: time } = JSON.parse(lines[at] ?? '');
  const disk = diskWith(lines.with(at, JSON.stringify({ type, seq, at: time })));
  expect(() => foldJournal(disk, paths)).toThrow(
    `/s/journal.jsonl:${at + 1}: the event tasks.defined has no usable "tasks", so the session cannot be read; restore journal.jsonl`,
  );
});
