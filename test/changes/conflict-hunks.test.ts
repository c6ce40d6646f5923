import { expect, test } from 'vitest';
import { conflictHunks } from '../../src/changes/conflict-hunks.ts';
import { changesWorld, value, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';

const template = templateOfFile();

test('the places of a conflict are read from the markers, without the base of the diff3 style', () => {
  const text = [
    'same',
    '<<<<<<< 1a2b',
    'LEFT\r',
    '||||||| base',
    'one',
    '=======',
    'RIGHT',
    'more',
    '>>>>>>> 3c4d',
    '=======',
    '<<<<<<< 1a2b',
    '=======',
    ...Array.from({ length: 9 }, (_, index) => `${index}`),
    '>>>>>>> 3c4d',
    '<<<<<<< never closed',
  ].join('\n');
  expect(conflictHunks('a.txt', text)).toEqual([
    { path: 'a.txt', line: 2, session: ['LEFT'], task: ['RIGHT', 'more'] },
    { path: 'a.txt', line: 11, session: [], task: ['0', '1', '2', '3', '4', '5', '… 3 more'] },
  ]);
});

test('git marks the side of the session first', async () => {
  const session = await changesWorld(template).open();
  for (const task of ['left', 'right']) {
    const of = { task, attempt: 1 };
    const { directory } = value(await session.prepare(of));
    value(await session.snapshot(of, 'before'));
    writeFiles(directory, { 'a.txt': `${task}\ntwo\nthree\n` });
    value(await session.commit(of, task));
  }
  await session.merge({ task: 'left', attempt: 1 });
  const merged = await session.merge({ task: 'right', attempt: 1 });
  const [file] = merged.kind === 'conflict' ? merged.conflict.files : [];
  const text = new TextDecoder().decode(value(await session.readBlob(file?.marked?.blob ?? '')));
  expect(conflictHunks('a.txt', text)).toEqual([
    { path: 'a.txt', line: 1, session: ['left'], task: ['right'] },
  ]);
});
