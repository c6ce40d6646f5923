import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const module = join(import.meta.dirname, '../../src/cli/started-by-agent.ts');

/** Says into a file whether the program that runs it counts as an agent's. */
const asking = (file: string): string =>
  `"${process.execPath}" -e 'import("${module}").then(({isStartedByAgent: is}) => require("node:fs").writeFileSync(process.argv[1], String(is(process.env))))' "${file}"`;

const answerIn = async (file: string): Promise<string> => {
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toMatch(/true|false/);
  return readFileSync(file, 'utf8');
};

/** What a command of an agent hears when it asks in this way. */
const asked = async (around: (ask: string) => string): Promise<string> => {
  const file = join(tempDir(), 'answer');
  const env = { PATH: process.env['PATH'] ?? '' };
  const marker = `asks-${process.pid}/${Math.random()}`;
  const command = around(asking(file));
  await createSpawn().start({ command, cwd: tempDir(), env, marker }, { output: () => {} }).exit;
  return answerIn(file);
};

test.runIf(existsSync('/proc/self/limits')).each([
  ['as it was started', (ask: string) => ask],
  ['without the variable that names its run', (ask: string) => `env -u RALPH_RUN ${ask}`],
  ['below a shell without environment', (ask: string) => `env -i sh -c '${ask.replaceAll("'", `'\\''`)}'`],
  ['left behind in a session of its own', (ask: string) => `cd / && env -i setsid ${ask} >/dev/null 2>&1 &`],
])('a program of an agent counts as one: %s', async (_, around) => {
  expect(await asked(around)).toBe('true');
});

test('a program of a person does not, left behind or not', async () => {
  const file = join(tempDir(), 'answer');
  execFileSync('/bin/sh', ['-c', `env -i setsid ${asking(file)} >/dev/null 2>&1 &`]);
  expect(await answerIn(file)).toBe('false');
});
