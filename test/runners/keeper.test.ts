import { spawn } from 'node:child_process';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '../../src/cli/world.ts';
import { keepAlone, tidyLinks } from '../../src/runners/serve/keep-alone.ts';
import { cleanEnvironment, programFile } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';

test('a link has one keeper, until that one is done or dead', () => {
  const world = createWorld();
  const directory = join(tempDir(), 'links', 'a link');
  const first = keepAlone(world, directory);
  expect(first).not.toBeNull();
  expect(keepAlone(world, directory)).toBeNull();
  first?.();
  const dead = {
    ...world,
    spawn: { self: { ...world.spawn.self, boot: 'before' }, isAlive: () => 'unknown' as const },
  };
  expect(keepAlone(dead, directory)).not.toBeNull();
  expect(keepAlone(world, directory)).not.toBeNull();
});

test('locks of links whose keepers ended days ago are removed with their sockets, those of living keepers stay', () => {
  const world = createWorld();
  const directory = tempDir();
  const links = join(directory, 'links');
  const socket = (link: string): string => join(directory, `${link}.sock`);
  const dayOld = (link: string): void => {
    writeFileSync(socket(link), '');
    const then = new Date(Date.now() - 2 * 86_400_000);
    utimesSync(join(links, link), then, then);
  };
  keepAlone(world, join(links, 'released'))?.();
  keepAlone(world, join(links, 'living'));
  const killed = { ...world, spawn: { ...world.spawn, self: { ...world.spawn.self, pid: 2 ** 22 + 1 } } };
  keepAlone(killed, join(links, 'killed'));
  for (const link of ['released', 'living', 'killed']) dayOld(link);
  keepAlone(world, join(links, 'fresh'))?.();
  tidyLinks(world, links, socket);
  expect(readdirSync(links).sort()).toEqual(['fresh', 'living']);
  expect(readdirSync(directory).sort()).toEqual(['links', 'living.sock']);
});

test('of six keepers that are started at once for one link, five end by themselves', async () => {
  const env = cleanEnvironment({ XDG_STATE_HOME: tempDir() });
  const started = Array.from({ length: 6 }, () =>
    spawn(process.execPath, [programFile, 'runner', '--keep', '0123456789abcdef'], { env, stdio: 'ignore' }),
  );
  const ended: (number | null)[] = [];
  for (const child of started) child.on('exit', (code) => void ended.push(code));
  await expect.poll(() => ended.length).toBe(5);
  expect(ended).toEqual([0, 0, 0, 0, 0]);
  const living = started.filter(({ exitCode }) => exitCode === null);
  expect(living).toHaveLength(1);
  living[0]?.kill('SIGKILL');
  await expect.poll(() => ended.length).toBe(6);
});
