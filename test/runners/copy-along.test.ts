import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSimulatedCarrier } from '../helpers/simulated-carrier.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { writeIn } from '../helpers/workspace.ts';
import { obedient } from './obedient.ts';
import {
  briefIn,
  createManualClock,
  git,
  hostOf,
  pumped,
  recordingHost,
  repositoryWithTask,
  serveIn,
} from './remote-session.ts';

/** One task on a runner, with what `runners.NAME` says of its files. */
const placed = (more: Parameters<typeof hostOf>[3]) => {
  const clock = createManualClock();
  const there = serveIn(clock, tempDir(), [obedient]);
  const carrier = createSimulatedCarrier(clock, () => 0.5, there.attach);
  let puts = 0;
  carrier.watch((line) => {
    if (line.includes('"method":"put"')) puts += 1;
    return false;
  });
  const { place } = hostOf(clock, carrier, 600_000, more);
  const { host, facts, boundary } = recordingHost();
  const work = async (workspace: string, meanwhile: (there: string) => void): Promise<void> => {
    const worker = place(obedient).start(briefIn(workspace), host);
    const ask = { kind: 'implement', prompt: 'file new.txt', messages: [] };
    const result = await pumped(clock, worker.turn(ask, boundary));
    if (result.kind !== 'answered') throw new Error(JSON.stringify(result));
    meanwhile((result.answer as { readonly in: string }).in);
    await pumped(clock, worker.end?.() ?? Promise.resolve());
  };
  const notes = () => facts.map((fact) => 'text' in fact && fact.text);
  return { work, notes, puts: () => puts };
};

test('ignored files that a runner names go along, stay out of the result, and are never links or tracked files', async () => {
  const { workspace } = repositoryWithTask();
  const outside = tempDir();
  writeIn(outside, 'secret', 'of this machine');
  writeIn(workspace, '.env', 'TOKEN=hunter2\n');
  writeIn(workspace, 'certs/deep/a b.pem', 'x'.repeat(500_000));
  symlinkSync(join(outside, 'secret'), join(workspace, 'link'));
  symlinkSync(outside, join(workspace, 'conf'));
  writeFileSync(join(workspace, '.git/info/exclude'), '/.env\n/certs\n/link\n/conf\n');
  const entries = ['.env', 'certs/', 'link', 'a.txt', 'none', '../out', '.git/config', 'conf/secret'];
  const { work, notes } = placed({ ignored: { workspace, entries } });
  await work(workspace, (there) => {
    expect(readFileSync(join(there, '.env'), 'utf8')).toBe('TOKEN=hunter2\n');
    expect(readFileSync(join(there, 'certs/deep/a b.pem'), 'utf8')).toBe('x'.repeat(500_000));
    // Nothing of it is known to git there, whose list of ignored files is not this one's.
    expect(git(there, 'status', '--porcelain')).toBe('?? new.txt');
  });
  expect(git(workspace, 'status', '--porcelain')).toBe('?? new.txt');
  expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('of this machine');
  expect(notes()).toEqual([
    'link was not copied: it is neither a file nor a directory.',
    'a.txt was not copied: the repository already has it.',
    'none was not copied: it does not exist.',
    expect.stringMatching(/^\.\.\/out was not copied: the path /u),
    expect.stringMatching(/^\.git\/config was not copied: /u),
    'conf/secret was not copied: a directory above it is a link.',
  ]);
});

test('a runner fetches from origin first, and gets only what is missing; without a way there it gets everything', async () => {
  const { workspace } = repositoryWithTask();
  const origin = join(tempDir(), 'origin.git');
  execFileSync('git', ['clone', '--quiet', '--bare', workspace, origin]);
  git(workspace, 'remote', 'add', 'origin', origin);
  const near = placed({ fetches: true });
  await near.work(workspace, () => undefined);
  expect(near.puts()).toBe(0);
  expect(near.notes()).toEqual([]);

  git(workspace, 'remote', 'set-url', 'origin', join(tempDir(), 'gone.git'));
  mkdirSync(join(workspace, 'more'));
  const far = placed({ fetches: true });
  await far.work(workspace, () => undefined);
  expect(far.puts()).toBe(1);
  expect(far.notes()).toEqual([
    expect.stringMatching(
      /^gpu could not fetch from origin \(.*gone\.git.*\), so it gets the commits from here$/u,
    ),
  ]);
});

test('the address of origin goes there without a login in it', async () => {
  const { workspace } = repositoryWithTask();
  const { copy } = hostOf(
    createManualClock(),
    createSimulatedCarrier(
      createManualClock(),
      () => 0,
      () => ({ line: () => undefined, waits: () => undefined, ended: () => undefined }),
    ),
  );
  const place = await copy.locate(workspace);
  expect(await copy.origin(place)).toBeNull();
  git(workspace, 'remote', 'add', 'origin', 'https://me:hunter2@git.example/x.git');
  expect(await copy.origin(place)).toBe('https://git.example/x.git');
  git(workspace, 'remote', 'set-url', 'origin', 'git@git.example:x.git');
  expect(await copy.origin(place)).toBe('git@git.example:x.git');
});
