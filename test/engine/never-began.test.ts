import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const create = () =>
  createSimulatedSession({ plan: 'goal: Begin\ntasks: [{id: a, title: A, run: [work a]}]\n' });
const neverBegan = {
  code: 'no-journal',
  what: 'this session ended before the first line of its journal was written, so there is nothing to resume',
};

test.each([
  ['is empty', ''],
  ['holds half a line', '{"type":"session.cre'],
])('a session of ours that was killed at its start, whose journal %s, is called ours', async (_how, text) => {
  const session = create();
  session.disk.put(session.paths.journal, text);
  expect(await session.resume().start()).toMatchObject(neverBegan);
});

test('a session of ours that was killed with its lock and before its journal is called ours', async () => {
  const session = create();
  session.disk.mkdir(join(session.paths.directory, 'lock'));
  expect(await session.resume().start()).toMatchObject(neverBegan);
});

test('a session without anything of ours was run by another program', async () => {
  const session = create();
  expect(await session.resume().start()).toMatchObject({
    what: expect.stringContaining('run by another program'),
  });
});
