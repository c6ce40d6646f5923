import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import { next } from '../../src/pipeline/next.ts';
import { createPipelineRun } from '../helpers/pipeline-run.ts';

const recorded = (name: string) =>
  readJournal(createDisk(), fileURLToPath(new URL(`../fixtures/journals/${name}.jsonl`, import.meta.url)));

/** The sample session, run without a screen, by a program that waited for each level of the graph. Its journal names no mode. */
const old = recorded('waves');

test('a journal that names no mode replays as waves, with the settings it was run with', () => {
  const { events, problems } = old;
  expect(problems).toEqual([]);
  const state = evolveAll(null, events);
  expect(state).toMatchObject({ mode: 'waves', state: 'COMPLETE', status: 'completed', seq: events.length });
  expect(state.settings).toMatchObject({
    concurrency: { max_parallel_executors: 2 },
    knowledge: { approval_timeout: 0 },
  });
  expect([...state.tasks.values()].map(({ status }) => status)).toEqual(Array(10).fill('done'));
});

test('a session that waited for levels goes on from wherever its program died', () => {
  const first = old.events.findIndex(({ type }) => type === 'wave.chosen');
  for (let length = first; length < old.events.length; length += 5) {
    const run = createPipelineRun({ journal: old.events.slice(0, length) })
      .start()
      .finish();
    expect(run.end(), `after ${length} events`).toMatchObject({ exit_code: 0 });
    expect([...run.state().tasks.values()].every(({ status }) => status === 'done')).toBe(true);
  }
});

/** Two of four tasks done, the third merged: by a program that moved the session's branch with each merge and verified it afterwards. */
test('a session that moved its branch before it verified goes on from wherever its program died', () => {
  const { events, problems } = recorded('merges');
  expect(problems).toEqual([]);
  expect(events.at(-1)).toMatchObject({ type: 'process.started' });
  const first = events.findIndex(({ type }) => type === 'changes.opened');
  for (let length = first; length <= events.length; length += 1) {
    const run = createPipelineRun({ journal: events.slice(0, length) })
      .start()
      .finish();
    expect(run.end(), `after ${length} events`).toMatchObject({ exit_code: 0 });
    expect([...run.state().tasks.values()].map(({ status }) => status)).toEqual(Array(4).fill('done'));
    const merged = run.of('merge.landed').map(({ task }) => task);
    expect(new Set(merged).size, `after ${length} events`).toBe(merged.length);
  }
});

/** The same sample, by a program that starts each task when its blockers are done. */
test('the pipeline decides what it decided when the journal was recorded', () => {
  const { events, problems } = recorded('batches');
  expect(problems).toEqual([]);
  const decided = new Set(['state.entered', 'wave.chosen', 'gate.opened', 'gate.decided', 'session.stopped']);
  for (const [index, { seq: _seq, at: _at, ...event }] of events.entries())
    if (decided.has(event.type)) expect(next(evolveAll(null, events.slice(0, index)))).toEqual(event);
});
