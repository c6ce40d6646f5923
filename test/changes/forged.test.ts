import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { SessionChanges } from '../../src/changes/port.ts';
import {
  type ChangesWorld,
  changesWorld,
  faultOf,
  personGit,
  value,
  writeFiles,
} from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';

const template = templateOfFile();

const attempt = { task: 'one', attempt: 1 };

const contentOf = (type: string, text: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${type} ${Buffer.byteLength(text)}\0`), Buffer.from(text)]);

const nameOfBlob = (text: string): string => createHash('sha1').update(contentOf('blob', text)).digest('hex');

/** As an agent does that can write everywhere: under the name of one content lies another one. */
const forge = (objects: string, name: string, holds: Buffer): string => {
  const file = join(objects, name.slice(0, 2), name.slice(2));
  mkdirSync(dirname(file), { recursive: true });
  if (existsSync(file)) {
    chmodSync(file, 0o644);
    rmSync(file);
  }
  writeFileSync(file, deflateSync(holds));
  return file;
};

const objectsOf = ({ repo }: ChangesWorld): string => join(repo, '.git/objects');

const begin = async (world: ChangesWorld): Promise<{ session: SessionChanges; directory: string }> => {
  const session = await world.open();
  const { directory } = value(await session.prepare(attempt));
  value(await session.snapshot(attempt, 'before'));
  return { session, directory };
};

const forgedWords = /^the object [0-9a-f]{12} of the repository.* does not hold what its name says/;

test('a planted object under the name of what an agent then writes is no record of its work', async () => {
  const world = changesWorld(template);
  const { session, directory } = await begin(world);
  forge(objectsOf(world), nameOfBlob('bad\n'), contentOf('blob', 'good\n'));
  writeFiles(directory, { 'deep/er/o.txt': 'bad\n' });
  const taken = await session.snapshot(attempt, 'after');
  expect(faultOf(taken)).toMatch(forgedWords);
  expect(faultOf(taken)).toContain('(deep/er/o.txt)');
});

test('in the directory of the session, too', async () => {
  const world = changesWorld(template);
  const { session, directory } = await begin(world);
  forge(join(dirname(directory), 'objects'), nameOfBlob('bad\n'), contentOf('blob', 'good\n'));
  writeFiles(directory, { 'o.txt': 'bad\n' });
  expect(faultOf(await session.commit(attempt, 'one'))).toMatch(forgedWords);
});

test('a planted tree hides no file', async () => {
  const world = changesWorld(template);
  const { session, directory } = await begin(world);
  writeFiles(directory, { 'd/o.txt': 'bad\n' });
  personGit(directory, 'add', '.');
  const tree = personGit(directory, 'write-tree', '--prefix=d/').trim();
  personGit(directory, 'reset', '-q');
  forge(objectsOf(world), tree, contentOf('tree', ''));
  expect(faultOf(await session.snapshot(attempt, 'after'))).toMatch(forgedWords);
});

test('an agent’s own commits and what only they name are hashed before they are merged', async () => {
  const world = changesWorld(template);
  const { session, directory } = await begin(world);
  writeFiles(directory, { 'o.txt': 'bad\n' });
  personGit(directory, 'add', '.');
  personGit(directory, 'commit', '-qm', 'mine');
  writeFiles(directory, { 'o.txt': 'fine\n' });
  value(await session.snapshot(attempt, 'after'));
  value(await session.commit(attempt, 'one'));
  forge(objectsOf(world), nameOfBlob('bad\n'), contentOf('blob', 'good\n'));
  expect(await session.merge(attempt)).toMatchObject({
    kind: 'refused',
    reason: expect.stringMatching(/does not hold what its name says/i),
  });
});

test('a check tree is not made of an old object that somebody replaced', async () => {
  const world = changesWorld(template);
  const { session, directory } = await begin(world);
  writeFiles(directory, { 'o.txt': 'mine\n' });
  value(await session.commit(attempt, 'one'));
  expect(await session.merge(attempt)).toMatchObject({ kind: 'merged' });
  forge(objectsOf(world), nameOfBlob('c\n'), contentOf('blob', 'exit 0\n'));
  expect(faultOf(await session.showMerged(attempt))).toMatch(forgedWords);
});

test('what was verified and replaced later does not come to the person’s branch', async () => {
  const world = changesWorld(template);
  const { session, directory } = await begin(world);
  writeFiles(directory, { 'o.txt': 'good\n' });
  value(await session.commit(attempt, 'one'));
  expect(await session.merge(attempt)).toMatchObject({ kind: 'merged' });
  value(await session.showMerged(attempt));
  const head = personGit(world.repo, 'rev-parse', 'main');
  const file = forge(objectsOf(world), nameOfBlob('good\n'), contentOf('blob', 'bad\n'));
  const finish = { how: 'merge', into: 'main', message: 'all' } as const;
  expect(faultOf(await session.finish(finish))).toMatch(forgedWords);
  expect(personGit(world.repo, 'rev-parse', 'main')).toBe(head);
  rmSync(file);
  value(await session.finish(finish));
  expect(personGit(world.repo, 'show', 'main:o.txt')).toBe('good\n');
});

test('a file of any content and size is told from its forgery', async () => {
  const world = changesWorld(template);
  const { session, directory } = await begin(world);
  const large = `${'x'.repeat(300_000)}\nend 1 missing\n`;
  writeFiles(directory, { empty: '', large, 'a.txt': 'changed\n' });
  value(await session.commit(attempt, 'one'));
  expect(await session.merge(attempt)).toMatchObject({ kind: 'merged' });
  value(await session.finish({ how: 'merge', into: 'main', message: 'all' }));
  expect(personGit(world.repo, 'show', 'main:large')).toBe(large);
});
