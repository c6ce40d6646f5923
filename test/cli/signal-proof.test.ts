import { chmodSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { confirmAsPerson, readProofs, signAsPerson } from '../../src/cli/session/proof/signal-proof.ts';
import { createSessionMailbox } from '../../src/cli/session/publish.ts';
import { createWorld } from '../../src/cli/world.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const setUp = (more: Readonly<Record<string, string>> = {}) => {
  const state = tempDir();
  const env = { XDG_STATE_HOME: state, ...more };
  const world = createWorld();
  const paths = sessionPaths(tempDir(), '260215-101500');
  world.disk.mkdir(paths.directory);
  const mailbox = createSessionMailbox(env, world, paths);
  if ('code' in mailbox) throw new Error(mailbox.what);
  const send = (type: 'APPROVE' | 'PAUSE') => {
    const sent = mailbox.publish({ type, target: 'ALL' }, signAsPerson(env, world, paths, 'kim@host', false));
    return 'code' in sent ? sent : sent.id;
  };
  const proofs = join(state, 'ralph-tui/proofs');
  return { env, world, paths, mailbox, send, proofs };
};

const idOf = (sent: unknown): string => String(sent);

test('what a person sends has a record outside the workspace, readable by nobody else, of this session only', () => {
  const { env, world, paths, send, proofs } = setUp();
  const id = idOf(send('APPROVE'));
  expect(readProofs(env, world, paths).of(id)).toEqual({
    by: 'kim@host',
    at: expect.any(String),
    spent: false,
  });
  const [directory = ''] = readdirSync(proofs);
  expect(statSync(join(proofs, directory)).mode & 0o777).toBe(0o700);
  expect(statSync(join(proofs, directory, `${id}.json`)).mode & 0o777).toBe(0o600);
  const other = sessionPaths(paths.workspace, '260215-101501');
  expect(readProofs(env, world, other).of(id)).toBeNull();
});

test('a child of our agents gets no record and confirms nothing', () => {
  const { env, world, paths, send } = setUp({ RALPH_RUN: 'session/Executor-1' });
  const id = idOf(send('APPROVE'));
  expect(readProofs(env, world, paths).of(id)).toBeNull();
  expect(() => confirmAsPerson(env, world, paths, { id, by: 'kim@host' })).toThrow(
    'only a person can confirm this',
  );
  expect(readProofs(env, world, paths).of(id)).toBeNull();
});

test('a record that others could have written does not count', () => {
  const { env, world, paths, send, proofs } = setUp();
  const id = idOf(send('APPROVE'));
  const [directory = ''] = readdirSync(proofs);
  chmodSync(join(proofs, directory, `${id}.json`), 0o622);
  expect(readProofs(env, world, paths).of(id)).toBeNull();
  expect(readProofs(env, world, paths).of('../../elsewhere')).toBeNull();
});

test('a record is spent when its signal is withdrawn, and confirms again only by a person', () => {
  const { env, world, paths, mailbox, send } = setUp();
  const id = idOf(send('APPROVE'));
  mailbox.withdraw(id, 'kim@host');
  expect(readProofs(env, world, paths).of(id)).toEqual({
    by: 'kim@host',
    at: expect.any(String),
    spent: true,
  });
  confirmAsPerson(env, world, paths, { id, by: 'kim@host' });
  expect(readProofs(env, world, paths).of(id)).toMatchObject({ spent: false });
});

test('a decision that was not sent, as the person was told, has no record that its file could use later', () => {
  const { env, world, paths, mailbox } = setUp();
  const sign = signAsPerson(env, world, paths, 'kim@host', false);
  const ids: string[] = [];
  const sent = mailbox.publish({ type: 'APPROVE', target: 'ALL' }, (published, signal) => {
    ids.push(published.id);
    const signed = sign(published, signal);
    renameSync(join(paths.signals, 'inputs'), join(paths.signals, 'elsewhere'));
    return signed;
  });
  expect(sent).toMatchObject({ what: expect.any(String) });
  expect(ids.map((id) => readProofs(env, world, paths).of(id))).toMatchObject([{ spent: true }]);
});

test('a decision whose file is gone is withdrawn all the same: put back, it does not count', () => {
  const { env, world, paths, mailbox, send } = setUp();
  const id = idOf(send('APPROVE'));
  const [file = ''] = readdirSync(join(paths.signals, 'inputs'));
  rmSync(join(paths.signals, 'inputs', file));
  expect(mailbox.withdraw(id, 'kim@host')).toEqual({ kind: 'unknown' });
  expect(readProofs(env, world, paths).of(id)).toMatchObject({ spent: true });
});

test('without a place for the record a decision is not sent; a PAUSE is, and any signal where every file counts', () => {
  const { world, paths, mailbox } = setUp();
  const nowhere = signAsPerson({ XDG_STATE_HOME: '/dev/null' }, world, paths, 'kim@host', false);
  expect(mailbox.publish({ type: 'APPROVE', target: 'ALL' }, nowhere)).toMatchObject({
    what: expect.stringContaining('the record that you sent this signal cannot be written'),
  });
  expect(mailbox.peek().pendingSignals).toEqual([]);
  expect(mailbox.publish({ type: 'PAUSE', target: 'ALL' }, nowhere)).toMatchObject({
    id: expect.any(String),
  });
  const scripts = signAsPerson({ XDG_STATE_HOME: '/dev/null' }, world, paths, 'kim@host', true);
  expect(mailbox.publish({ type: 'APPROVE', target: 'ALL' }, scripts)).toHaveProperty('id');
});
