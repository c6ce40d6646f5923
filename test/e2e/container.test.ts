import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runJson, runProgram } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { writeIn } from '../helpers/workspace.ts';

/**
 * A `podman` that writes its argv down and starts the program inside as podman would: with the environment that the argv lists, and the mount in its place.
 * Where no container runs, this proves what we ask of one; what podman makes of it is podman's.
 */
const podman = (log: string, state: string): string => `#!/bin/sh
printf '%s\\n' "$@" > ${log}
variables=
while [ $# -gt 0 ]; do
  case $1 in
    --mount) source=$(echo "$2" | sed 's/.*source=\\([^,]*\\).*/\\1/'); shift 2;;
    --env) variables="$variables $2=$(printenv "$2")"; shift 2;;
    run|-*) shift;;
    *) break;;
  esac
done
shift 2
script=$source/\${1#/ralph/}; shift
exec env -i PATH="$PATH" HOME=/nonexistent XDG_STATE_HOME=${state} $variables "${process.execPath}" "$script" "$@"
`;

test('a task is worked on in a container: its argv holds no secret, and its result comes back as a commit', async () => {
  const cwd = tempDir();
  const home = tempDir();
  const state = tempDir();
  const log = join(home, 'argv.txt');
  writeIn(home, 'bin/podman', podman(log, state));
  chmodSync(join(home, 'bin/podman'), 0o755);
  writeIn(
    home,
    'ralph-tui/config.yaml',
    'runners: {box: {container: podman, image: "my/node:24", network: none}}\nroles: {reviewer: gemini}\nagents: {gemini: {type: acp, profile: gemini, command: [sh]}}\n',
  );
  writeIn(
    cwd,
    'plan.yaml',
    'goal: x\nsettings: {roles: {reviewer: script}}\ntasks: [{id: a, title: A, run: ["env > env.txt", "pwd > where.txt"]}]\n',
  );
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      cwd,
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  const env = {
    XDG_CONFIG_HOME: home,
    PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
    GEMINI_API_KEY: 'hunter2',
    OTHER_SECRET: 'hunter3',
  };
  expect(await runJson(['runners'], { cwd, env })).toEqual([
    { name: 'box', kind: 'container', target: 'podman my/node:24, network: none', slots: 1 },
  ]);
  const run = await runProgram(
    ['run', '--plan', 'plan.yaml', '--on', 'box', '--at-end', 'keep', '--headless'],
    { cwd, env },
  );
  expect(run.stderr).toBe('');
  expect(run.code).toBe(0);
  const argv = readFileSync(log, 'utf8');
  expect(argv).toContain('--cap-drop=ALL\n--security-opt=no-new-privileges\n');
  expect(argv).toContain('GEMINI_API_KEY\n');
  expect(argv).not.toMatch(/hunter|OTHER_SECRET/);
  const branch = git('for-each-ref', '--format=%(refname:short)', 'refs/heads/ralph/');
  expect(git('show', `${branch}:where.txt`)).toContain(state);
  expect(git('show', `${branch}:env.txt`)).not.toContain('hunter3');
});
