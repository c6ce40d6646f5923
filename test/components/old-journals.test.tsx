import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import { expectGolden, openScreen } from '../helpers/screen.tsx';

/** A journal of each earlier format: without a mode, by levels of the graph; by batches; of merges that were verified after they had landed. */
test.each(['waves', 'batches', 'merges'])(
  'the recorded journal %s replays to the same screen',
  async (name) => {
    const file = fileURLToPath(new URL(`../fixtures/journals/${name}.jsonl`, import.meta.url));
    const { events, problems } = readJournal(createDisk(), file);
    expect(problems).toEqual([]);
    const screen = await openScreen({
      columns: 120,
      rows: 36,
      connection: 'replay',
      prepare: (store) => store.load(events),
    });
    onTestFinished(screen.unmount);
    expectGolden(`old-journal-${name}.120x36`, screen.frame());
  },
);
