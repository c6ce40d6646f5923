import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import { next } from '../../src/pipeline/next.ts';

/** The sample session, run without a screen. Its journal names no mode. */
const file = fileURLToPath(new URL('../fixtures/journals/waves.jsonl', import.meta.url));
const { events, problems } = readJournal(createDisk(), file);

test('a journal that names no mode replays as waves, with the settings it was run with', () => {
  expect(problems).toEqual([]);
  const state = evolveAll(null, events);
  expect(state).toMatchObject({ mode: 'waves', state: 'COMPLETE', status: 'completed', seq: events.length });
  expect(state.settings).toMatchObject({
    concurrency: { max_parallel_executors: 2 },
    knowledge: { approval_timeout: 0 },
  });
  expect([...state.tasks.values()].map(({ status }) => status)).toEqual(Array(10).fill('done'));
});

test('the pipeline decides what it decided when the journal was recorded', () => {
  const decided = new Set(['state.entered', 'wave.chosen', 'gate.opened', 'gate.decided', 'session.stopped']);
  for (const [index, { seq: _seq, at: _at, ...event }] of events.entries())
    if (decided.has(event.type)) expect(next(evolveAll(null, events.slice(0, index)))).toEqual(event);
});
