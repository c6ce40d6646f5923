import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTheme } from '../../components/draw/theme.ts';
import { parseSkin } from '../../src/cli/terminal/read-skin.ts';
import { showThemes } from '../../src/cli/terminal/show-themes.ts';
import { themeOfTerminal } from '../../src/cli/terminal/theme-of-terminal.ts';
import { createWorld } from '../../src/cli/world.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';

const env = { COLORTERM: 'truecolor', TERM: 'xterm-256color', COLORFGBG: '15;0' };

test('a skin replaces the colours it names, and the others stay', () => {
  const file = join(tempDir(), 'mine.yaml');
  writeFileSync(file, 'needs-you: "#010203"\nselection: "#040506"\n');
  const options = themeOfTerminal(createTestCli({ env }), { theme: file, ascii: false }, createWorld().disk);
  const [own, standard] = [createTheme(options), createTheme({ ...options, palette: 'standard' })];
  expect([own.codes['needs-you'], own.grounds.selection]).toEqual(['38;2;1;2;3', '48;2;4;5;6']);
  expect(own.codes.failed).toBe(standard.codes.failed);
});

test('a wrong skin says file, line and key, and the screen keeps the standard colours', () => {
  const read = parseSkin('needs_you: "#010203"\nfailed: red\n', 'mine.yaml');
  expect(read).toMatchObject({
    ok: false,
    faults: [
      { where: 'mine.yaml:1', what: 'unknown colour "needs_you"', hint: 'did you mean "needs-you"?' },
      { where: 'mine.yaml:2', what: '"red" is not a colour for "failed"', hint: 'write it as "#rrggbb"' },
    ],
  });
  const file = join(tempDir(), 'mine.yaml');
  writeFileSync(file, 'failed: red\n');
  const options = themeOfTerminal(createTestCli({ env }), { theme: file, ascii: false }, createWorld().disk);
  expect(options.palette).toBeUndefined();
});

test('config themes shows every theme on both grounds, and a file in its own colours', () => {
  const said: string[] = [];
  const file = join(tempDir(), 'mine.yaml');
  writeFileSync(file, 'now: "#010203"\n');
  const cli = createTestCli({ env, print: (text) => void said.push(text) });
  showThemes(cli, createWorld(), undefined);
  expect(said.filter((line) => line.includes('background'))).toHaveLength(6);
  const rowsOf = (name: string) => said.slice(said.findIndex((line) => line.includes(name)) + 1).slice(0, 9);
  for (const [name, ground] of [
    ['light, for a light', '48;2;255;255;255'],
    ['solarized, for a dark', '48;2;0;43;54'],
    ['solarized, for a light', '48;2;253;246;227'],
  ] as const)
    for (const row of rowsOf(name)) {
      expect(row.startsWith(`\u001b[${ground}m`)).toBe(true);
      // No reset leaves the ground before the end of the row.
      expect(row.slice(0, -4)).not.toContain('\u001b[0m');
    }
  said.length = 0;
  showThemes(cli, createWorld(), file);
  expect(said.join('\n')).toContain('38;2;1;2;3');
});
