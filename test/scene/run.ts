import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { watch } from 'chokidar';

/**
 * `npm run scene -- NAME [light]` shows one scene of `test/helpers/scenes` on this terminal with the real screen, as its golden frames show it: keys work, its clock
 * stands still, and what keys ask of the outside goes nowhere. It is shown anew when a source changes; ctrl-\ ends it. Without a name it lists the scenes; without a
 * terminal it prints the frame.
 */
const root = join(import.meta.dirname, '../..');

const show = (): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, 'show.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
    // React has no development runtime for JSX then, as in the program.
    env: { ...process.env, NODE_ENV: 'production' },
  });

const watches = process.stdin.isTTY && process.stdout.isTTY && process.argv.length > 2;
const misused = 2;
let shown: ChildProcess | null = null;
let isChanged = false;

const start = (): void => {
  const child = show();
  shown = child;
  child.once('exit', (code) => {
    shown = null;
    if (isChanged) {
      isChanged = false;
      start();
    } else if (!watches || code === 0 || code === misused) process.exit(code ?? 1);
    // Else it says what is wrong with a source, and the next change is waited for.
  });
};

start();
if (watches)
  watch(
    ['components', 'src', 'test/helpers'].map((name) => join(root, name)),
    { ignoreInitial: true },
  ).on('all', () => {
    if (shown === null) return start();
    isChanged = true;
    shown.kill();
  });
