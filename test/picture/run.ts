import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTerminal } from '../helpers/terminal.ts';
import { frameToSvg, type Ground } from './frame-to-svg.ts';

/**
 * `npm run picture` writes the two pictures of the README from the sample session on a real terminal of 120 × 32: `test/picture/screen-dark.svg`
 * and `screen-light.svg`, with the drawn graph, in the moment in which a task runs for the second time and a message waits for its reader.
 */
const size = { columns: 120, rows: 32 };

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

const scratch = join(tmpdir(), `ralph-tui-picture-${process.pid}`);
mkdirSync(scratch, { recursive: true });
for (const theme of ['dark', 'light'] as const) {
  const terminal = openTerminal(['demo'], {
    cwd: scratch,
    ...size,
    env: {
      TMPDIR: scratch,
      // Its own for each run: the form of the tasks is remembered, and the second run would begin with the graph.
      XDG_STATE_HOME: join(scratch, theme),
      COLORFGBG: theme === 'dark' ? '15;0' : '0;15',
    },
  });
  await terminal.waitFor(/html .*running #2/, 60_000);
  terminal.press('w');
  await terminal.waitFor(/▸ html +\d:\d\d/);
  terminal.press('i');
  await terminal.waitFor('INFO');
  terminal.type('Keep the headings as they are');
  await terminal.waitFor('Keep the headings as they are');
  terminal.press('enter');
  await terminal.waitFor(/Inbox ─+ 1/);
  const svg = await frameToSvg(terminal.raw(), size, grounds[theme]);
  writeFileSync(join(import.meta.dirname, `screen-${theme}.svg`), svg);
  terminal.kill('SIGTERM');
  await terminal.exit;
}
