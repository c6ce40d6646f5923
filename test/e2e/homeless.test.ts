import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { expect, test } from 'vitest';
import { programFile } from '../helpers/program.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const isRoot = process.getuid?.() === 0;
/** Nobody in the passwd file. */
const stranger = 54_321;

test.runIf(isRoot)(
  'a user without HOME and without a name, as in a container, runs, reads and steers like any other',
  () => {
    const workspace = workspaceWith({
      'plan.yaml': 'goal: Be there\ntasks: [{id: one, title: One, files: [a], run: [touch a]}]\n',
    });
    chmodSync(workspace, 0o777);
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, [programFile, ...args], {
        cwd: workspace,
        uid: stranger,
        gid: stranger,
        env: { PATH: process.env['PATH'] ?? '' },
        encoding: 'utf8',
      });
    expect(run('--version')).toMatchObject({ status: 0, stderr: '' });
    expect(run('run', '--plan', 'plan.yaml', '--yes')).toMatchObject({ status: 0 });
    expect(run('status').stdout).toContain('1 of 1 done');
    expect(run('signal', 'INFO', 'hello')).toMatchObject({ status: 0 });
    expect(run('signals', '--json').stdout).toContain(`uid-${stranger}@`);
  },
);
