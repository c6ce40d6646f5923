import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { foreignSoFar } from '../helpers/raw-bytes.ts';
import { openTerminal } from '../helpers/terminal.ts';
import { onlySession, release, waitFor, workspaceWith } from '../helpers/workspace.ts';

const size = 157_000_000;
const plan = `goal: Print without a line's end
tasks:
  - id: flood
    title: Flood
    files: [flood.txt]
    run:
      - "head -c ${size} /dev/zero | tr '\\\\0' x"
      - echo the end > flood.txt
  - id: other
    title: Other
    files: [other.txt]
    run: ['${waitFor('other')}', echo other > other.txt]
`;

/** The most memory the process ever had resident, in MB. */
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

test('157 MB of output in one line keep the screen alive and the memory bounded, and the log file has all of it', async () => {
  const workspace = workspaceWith({ 'plan.yaml': plan });
  const screen = openTerminal(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => screen.kill('SIGKILL'));
  await screen.waitFor('xxxxxxxx');
  // Keys are answered while it prints, and afterwards.
  screen.press('?');
  await screen.waitFor(/Keys|Help/);
  screen.press('escape');
  // To be reviewed when the other one has ended too: no task is done before its wave is looked at.
  await screen.waitFor(/◇ flood/, 60_000);
  screen.press('j');
  await screen.waitFor(/│ +waiting for other/);
  screen.press('k');
  await screen.waitFor('xxxxxxxx');
  release(workspace, 'other');
  await screen.waitFor('Waiting for you');
  expect(peakOf(screen.pid)).toBeLessThan(250);
  expect(statSync(join(onlySession(workspace), 'logs/flood-r1.log')).size).toBe(size);
  expect(foreignSoFar(screen.raw())).toBe('');
});
