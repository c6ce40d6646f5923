import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DiskError } from '../../src/base/disk.ts';
import { createIntentPort } from '../../src/cli/screen/intent-port.ts';
import { readProofs } from '../../src/cli/session/proof/signal-proof.ts';
import { createSessionMailbox, lookIntoMailbox, sender } from '../../src/cli/session/publish.ts';
import { createWorld } from '../../src/cli/world.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import { acquireLock, isLock } from '../../src/session/lock.ts';
import { type SessionPaths, sessionPaths } from '../../src/session/paths.ts';
import { createStory, task } from '../helpers/story.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const setUp = () => {
  const paths = sessionPaths(tempDir(), '260215-101500');
  mkdirSync(paths.directory, { recursive: true });
  const port = createIntentPort(
    createWorld(),
    paths,
    () => null,
    () => {},
    { env: { XDG_STATE_HOME: tempDir() } },
  );
  const pending = (): readonly string[] => readdirSync(join(paths.signals, 'inputs'));
  return { paths, port, pending };
};
const idOf = (paths: SessionPaths, file: string): string =>
  lookIntoMailbox(createWorld(), paths)
    .list()
    .find((entry) => entry.file === file)?.id ?? '';
const steer = (message: string) => ({ type: 'STEER', target: 'ALL', message }) as const;

test('a pending message is written anew: the old one is archived as withdrawn, the new one is pending', async () => {
  const { paths, port, pending } = setUp();
  await port.perform({ type: 'publish', signal: steer('use bar') });
  const [old = ''] = pending();
  const id = idOf(paths, old);
  await port.perform({ type: 'replace', id, signal: steer('use baz') });
  expect(pending().length).toBe(1);
  expect(readFileSync(join(paths.signals, 'inputs', pending()[0] ?? ''), 'utf8')).toContain('use baz');
  const [archived = ''] = readdirSync(join(paths.signals, 'processed'));
  expect(readFileSync(join(paths.signals, 'processed', archived), 'utf8')).toMatch(/use bar[\s\S]*withdrawn/);
});

test('whoever was first wins: nothing new is sent, and the sentence names them', async () => {
  const { paths, port, pending } = setUp();
  await port.perform({ type: 'publish', signal: steer('use bar') });
  const id = idOf(paths, pending()[0] ?? '');
  const mailbox = createSessionMailbox({ XDG_STATE_HOME: tempDir() }, createWorld(), paths);
  if ('code' in mailbox) throw new Error(mailbox.what);
  mailbox.withdraw(id, 'lee@host');
  await expect(port.perform({ type: 'replace', id, signal: steer('use baz') })).rejects.toThrow(
    'Too late: already withdrawn by lee@host; your text is kept: press {steer.steer}, then ↑',
  );
  expect(pending()).toEqual([]);
});

test('a signal that cannot be written is an error to whoever pressed the key, and where a text was written it says where that is', async () => {
  const { paths, port, pending } = setUp();
  await port.perform({ type: 'publish', signal: { type: 'PAUSE', target: 'ALL' } });
  chmodSync(join(paths.signals, 'inputs'), 0o722);
  const refused = /others can write to this directory/;
  await expect(port.perform({ type: 'publish', signal: { type: 'RESUME', target: 'ALL' } })).rejects.toThrow(
    refused,
  );
  chmodSync(join(paths.signals, 'inputs'), 0o700);
  const full = {
    ...createWorld().disk,
    link: () => raise(new DiskError('ENOSPC', 'link', `${paths.signals}/inputs/x`)),
  };
  const onFullDisk = createIntentPort(
    { ...createWorld(), disk: full },
    paths,
    () => null,
    () => {},
    { env: { XDG_STATE_HOME: tempDir() } },
  );
  await expect(onFullDisk.perform({ type: 'publish', signal: steer('use bar') })).rejects.toThrow(
    /the disk is full; free some space; nothing was lost; your text is kept: press \{steer\.steer\}, then ↑$/,
  );
  expect(pending().length).toBe(1);
});

const raise = (error: Error): never => {
  throw error;
};

test('what is said of a key names what was sent or taken back, and not a file', async () => {
  const { port } = setUp();
  const set = { 'concurrency.max_parallel_executors': 4 };
  expect(await port.perform({ type: 'publish', signal: { type: 'SET', target: 'ALL', set } })).toBe(
    'sent: SET max_parallel_executors = 4',
  );
});

test('undo and redo beside a living host are signals that a person sent; the host takes the work back', async () => {
  const paths = sessionPaths(tempDir(), '260215-101500');
  mkdirSync(paths.directory, { recursive: true });
  const world = createWorld();
  const { disk, random, spawn, clock } = world;
  const lock = acquireLock(disk, random, paths, spawn.self, spawn.isAlive, { clock });
  const state = evolveAll(
    null,
    createStory()
      .begin()
      .tasks([task('one')]).events,
  );
  const env = { XDG_STATE_HOME: tempDir() };
  const port = createIntentPort(
    world,
    paths,
    () => state,
    () => {},
    { env },
  );
  const sent = () =>
    lookIntoMailbox(world, paths)
      .list()
      .map(({ signal }) => signal);
  const turn = (way: 'undo' | 'redo', attempt: number | null) =>
    port.perform({ type: 'take-back', way, task: 'one', attempt });
  expect(await turn('undo', null)).toBe('sent: UNDO one');
  expect(await turn('redo', 2)).toBe('sent: REDO one');
  expect(sent()).toMatchObject([
    { type: 'UNDO', task: 'one' },
    { type: 'REDO', task: 'one', attempt: 2 },
  ]);
  const ids = lookIntoMailbox(world, paths)
    .list()
    .map(({ id }) => id);
  expect(ids.map((id) => readProofs(env, world, paths).of(id)?.by)).toEqual([sender(), sender()]);
  if (isLock(lock)) lock.release();
  // Nobody would read a signal now: the screen does it itself.
  await expect(turn('undo', null)).rejects.toThrow();
  expect(sent()).toHaveLength(2);
});
