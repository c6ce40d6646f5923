import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTerminal } from '../helpers/terminal.ts';
import { frameToSvg, type Ground } from './frame-to-svg.ts';
import { prepareScene } from './scene.ts';

/**
 * `npm run picture` writes the two pictures of the README from a real session of scripted agents on a real terminal of 200 × 50:
 * `test/picture/screen-dark.svg` and `screen-light.svg`, with the drawn graph, while two agents work and one asks for a permission.
 */
const size = { columns: 200, rows: 50 };

const grounds: Readonly<Record<'dark' | 'light', Ground>> = {
  dark: {
    background: '#16181d',
    foreground: '#d7dae0',
    palette: [
      '#16181d',
      '#e06c75',
      '#98c379',
      '#e5c07b',
      '#61afef',
      '#c678dd',
      '#56b6c2',
      '#abb2bf',
      '#7f848e',
      '#ff7b86',
      '#b5e890',
      '#ffd68a',
      '#7fc1ff',
      '#dd9bef',
      '#7fd5df',
      '#ffffff',
    ],
  },
  light: {
    background: '#ffffff',
    foreground: '#24292f',
    palette: [
      '#24292f',
      '#cf222e',
      '#116329',
      '#7d4e00',
      '#0550ae',
      '#8250df',
      '#1b7c83',
      '#57606a',
      '#6e7781',
      '#a40e26',
      '#1a7f37',
      '#633c01',
      '#0969da',
      '#6639ba',
      '#3192aa',
      '#24292f',
    ],
  },
};

const scratch = mkdtempSync(join(tmpdir(), 'ralph-tui-picture-'));
for (const theme of ['dark', 'light'] as const) {
  const workspace = join(scratch, theme, 'greetings');
  mkdirSync(workspace, { recursive: true });
  prepareScene(workspace);
  const terminal = openTerminal(
    ['run', '--plan', 'plan.yaml', '--permissions', 'edits', '--yes', '--no-discovery'],
    {
      cwd: workspace,
      ...size,
      env: {
        TMPDIR: scratch,
        // Its own for each run: the form of the tasks is remembered, and the second run would begin with the graph.
        XDG_STATE_HOME: join(scratch, theme, 'state'),
        COLORFGBG: theme === 'dark' ? '15;0' : '0;15',
        COLORTERM: 'truecolor',
      },
    },
  );
  await terminal.waitFor(/docs .*asks you/, 30_000);
  await terminal.waitFor(/service .*running/);
  terminal.press('g');
  await terminal.waitFor(/▌[├└┝┕] ✓ schema/);
  terminal.press('j');
  await terminal.waitFor(/▌[├└┝┕] ▸ service/);
  terminal.press('w');
  await terminal.waitFor(/[╭┏].*\n.*service/);
  await terminal.waitFor(/p pause/);
  await terminal.waitFor(/Next I change the queue/);
  await terminal.waitFor(/\$0\.67/);
  const svg = await frameToSvg(terminal.raw(), size, grounds[theme]);
  writeFileSync(join(import.meta.dirname, `screen-${theme}.svg`), svg);
  if (process.env['PICTURE_TEXT'] !== undefined) console.log(terminal.screen());
  await terminal.kill('SIGTERM');
}
