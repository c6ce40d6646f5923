import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnvironment, programFile } from '../helpers/program.ts';
import { openTerminal } from '../helpers/terminal.ts';
import { prepareScene } from './scene.ts';

/**
 * `npm run picture` writes the two pictures of the README with `export --svg`, from the journal of a session of scripted agents: while two agents
 * work and one asks for a permission, as `test/picture/screen-dark.svg` and `screen-light.svg`.
 */
const size = { columns: 200, rows: 50 };

const scratch = mkdtempSync(join(tmpdir(), 'ralph-tui-picture-'));
const workspace = join(scratch, 'greetings');
mkdirSync(workspace);
prepareScene(workspace);
const env = { TMPDIR: scratch, XDG_STATE_HOME: join(scratch, 'state') };
const terminal = openTerminal(
  ['run', '--plan', 'plan.yaml', '--permissions', 'edits', '--yes', '--no-discovery'],
  { cwd: workspace, ...size, env },
);
await terminal.waitFor(/Needs you \(1\)/, 30_000);
await terminal.waitFor(/read: src\/queue\.ts/);
await terminal.waitFor(/\$0\.67/);
for (const [theme, options] of [
  ['dark', []],
  ['light', ['--light']],
] as const) {
  const file = join(import.meta.dirname, `screen-${theme}.svg`);
  const screen = ['--size', `${size.columns}x${size.rows}`, ...options];
  execFileSync(process.execPath, [programFile, 'export', 'latest', '--svg', file, ...screen], {
    cwd: workspace,
    env: cleanEnvironment(env),
  });
}
await terminal.kill('SIGTERM');
rmSync(scratch, { recursive: true });
