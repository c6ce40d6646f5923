import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { changesWorld, personGit, personsState, value, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { isLongForm } from '../helpers/test-form.ts';

const template = templateOfFile(
  Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`d/${index}.txt`, `${index}\n`])),
);

const kills = 25;

/** Steps of `changes-worker.ts` a task. */
const stepsOfTask = 7;

/** Kills it in the step after so many: after a part of the time that the one before it took, however slow the machine is. */
const killAfter = (
  child: ChildProcessByStdio<null, Readable, Readable>,
  steps: number,
  part: number,
): void => {
  let done = 0;
  let last = performance.now();
  child.stdout.on('data', (bytes: Buffer) => {
    const took = performance.now() - last;
    last += took;
    const before = done;
    done += bytes.length;
    if (before <= steps && done > steps) setTimeout(() => child.kill('SIGKILL'), part * took);
  });
};

test.runIf(isLongForm)(
  'a program killed at any moment leaves the person their files and the session its merges',
  async () => {
    const world = changesWorld(template);
    writeFiles(world.repo, { 'd/1.txt': 'staged\n', 'untracked.txt': 'u\n', '.env': 'x\n' });
    personGit(world.repo, 'add', 'd/1.txt');
    const persons = personsState(world.repo);
    const random = createSeededRandom(7);
    let known: readonly string[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const worker = join(import.meta.dirname, '../helpers/changes-worker.ts');
      const child = spawn(process.execPath, [worker, world.top, String(kill * 1_000 + 1)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      child.stderr.on('data', (bytes: Buffer) => {
        said += bytes.toString();
      });
      killAfter(child, random.int(2 * stepsOfTask), random.next());
      await once(child, 'close');
      expect(said, `kill ${kill}`).toBe('');
      const session = await world.open();
      expect(personsState(world.repo), `kill ${kill}`).toEqual(persons);
      const merged = value(await session.attempts())
        .filter(({ state }) => state === 'merged')
        .map(({ attempt }) => `${attempt}.txt`);
      expect(merged).toEqual(expect.arrayContaining([...known]));
      known = merged;
      const files = readdirSync(session.worktree?.directory ?? '').filter((name) => /^\d+\.txt$/.test(name));
      expect(files.sort(), `kill ${kill}`).toEqual([...merged].sort());
    }
    expect(known.length).toBeGreaterThan(0);
    const left = readdirSync(join(world.repo, '.git'), { recursive: true, encoding: 'utf8' });
    expect(left.filter((path) => path.endsWith('.lock'))).toEqual([]);
  },
);
