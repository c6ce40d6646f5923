import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { cleanEnvironment, programFile } from '../helpers/program.ts';
import { openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { animate } from './animate.ts';

/**
 * `npm run picture` also writes the moving pictures of the README: `demo-dark.svg` and `demo-light.svg`, the sample session while a person answers its permission; `steer.svg`, the
 * same while a person steers it; `issues.svg`, three issues on their way to pull requests. Each is a session that `export --cast` recorded from its journal.
 */
const size = { columns: 100, rows: 30 };

const scratch = mkdtempSync(join(tmpdir(), 'ralph-tui-recording-'));

/** A folder of its own for each session; its sample project is the only one in there. */
const placeOf = (name: string) => {
  const folder = join(scratch, name);
  const env = {
    TMPDIR: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
  };
  for (const each of [folder, env.XDG_STATE_HOME]) mkdirSync(each);
  return { folder, env };
};
type Place = ReturnType<typeof placeOf>;

const sampleIn = ({ folder }: Place): string =>
  join(folder, readdirSync(folder).find((name) => name.startsWith('ralph-tui-demo-')) ?? '');

/** Records the newest session of the sample; `speed` shortens it. */
const record = (place: Place, theme: 'dark' | 'light', speed: number): string => {
  const file = join(place.folder, `${theme}.cast`);
  const args = ['--cast', file, '--size', `${size.columns}x${size.rows}`, '--speed', String(speed)];
  execFileSync(
    process.execPath,
    [programFile, 'export', 'latest', ...args, ...(theme === 'light' ? ['--light'] : [])],
    { cwd: sampleIn(place), env: cleanEnvironment(place.env) },
  );
  return file;
};

const draw = async (place: Place, theme: 'dark' | 'light', name: string, still: number, speed = 1) => {
  const picture = await animate(record(place, theme, speed), theme, still);
  const file = join(import.meta.dirname, `${name}.svg`);
  writeFileSync(file, picture);
  console.log(`${file}: ${(picture.length / 1_000).toFixed(0)} kB`);
};

/** The sample session on a screen, with a person who answers what it asks. */
const play = async (place: Place, meanwhile: (terminal: TestTerminal) => Promise<void>): Promise<void> => {
  const terminal = openTerminal(['demo'], { cwd: place.folder, ...size, env: place.env });
  await meanwhile(terminal);
  await terminal.waitFor(/asks to run `git tag/, 60_000);
  // Readers of the picture read the question as well.
  await pass(3_000);
  terminal.press('u');
  await terminal.waitFor(/notes-for-translators[\s\S]*1 /);
  terminal.press('1');
  await terminal.waitFor(/keep \d+ lesson/, 60_000);
  await terminal.kill('SIGTERM');
};

const demo = placeOf('demo');
await play(demo, async () => {});
await draw(demo, 'dark', 'demo-dark', 24);
await draw(demo, 'light', 'demo-light', 24);

const steered = placeOf('steer');
await play(steered, async (terminal) => {
  await terminal.waitFor(/text .*running/, 60_000);
  execFileSync(process.execPath, [programFile, 'signal', 'STEER', 'Servus from Vienna', '--task', 'text'], {
    cwd: sampleIn(steered),
    env: cleanEnvironment(steered.env),
  });
});
await draw(steered, 'dark', 'steer', 20);

const issues = placeOf('issues');
execFileSync(process.execPath, [programFile, 'demo', 'hero'], {
  cwd: issues.folder,
  env: cleanEnvironment(issues.env),
  stdio: 'ignore',
});
await draw(issues, 'dark', 'issues', 20, 1.5);
rmSync(scratch, { recursive: true });
