import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { watch } from 'chokidar';

/**
 * `npm run watch`: after each change of a source it builds, checks the types, and runs the tests that import what changed since all passed. A change during a round begins
 * a new one; ctrl-c ends it. Tests on a terminal and the simulation take minutes: those that are named run too (`npm run watch -- test/e2e/demo.test.ts`).
 */
const root = join(import.meta.dirname, '../..');
const named = process.argv.slice(2);
/** An editor that saves five files at once means one change. */
const togetherMs = 100;

/** Since everything passed. */
const changed = new Set<string>();
let round = new AbortController();

const run = (name: string, args: readonly string[], { signal }: AbortController): Promise<boolean> =>
  new Promise((settle) => {
    const child = spawn(join(root, 'node_modules/.bin', name), args, { cwd: root, stdio: 'inherit', signal });
    child.once('error', (error) => {
      if (!signal.aborted) console.error(error.message);
      settle(false);
    });
    child.once('exit', (code) => settle(code === 0));
  });

const attempt = async (own: AbortController): Promise<void> => {
  await setTimeout(togetherMs);
  if (own.signal.aborted) return;
  const files = [...changed].filter((file) => existsSync(join(root, file)));
  console.log(`\n${[...changed].join(', ')}`);
  const isPassed =
    (await run('rolldown', ['-c', '.rolldown.config.ts', '--log-level', 'warn'], own)) &&
    (await run('tsc', ['--noEmit'], own)) &&
    (files.length === 0 ||
      (await run(
        'vitest',
        ['related', '--run', '--passWithNoTests', '--project', 'suite', ...files],
        own,
      ))) &&
    (named.length === 0 || (await run('vitest', ['run', ...named], own)));
  if (own.signal.aborted) return;
  if (isPassed) changed.clear();
  console.log(isPassed ? '\nAll passed.' : '\nNot all passed: the next change tries these files too.');
};

watch(
  ['components', 'hooks', 'src', 'test'].map((name) => join(root, name)),
  { ignoreInitial: true },
)
  .on('all', (_event, path) => {
    if (!/\.(tsx?|mjs|md)$/.test(path)) return;
    changed.add(relative(root, path));
    round.abort();
    round = new AbortController();
    void attempt(round);
  })
  .on('ready', () => console.log('Waits for a change in components, hooks, src or test.'));
