import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import headless from '@xterm/headless';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { listenTo, openBrowser, withoutBrowser } from '../helpers/browser.ts';
import { everyEvent, pageSession, writeSession } from '../helpers/page-session.ts';
import { runProgram } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openTerminal } from '../helpers/terminal.ts';
import { animate } from '../picture/animate.ts';

const size = { columns: 120, rows: 36 };
const headerSchema = z.object({
  version: z.literal(3),
  term: z.object({ cols: z.number(), rows: z.number(), type: z.string() }),
  timestamp: z.number().int(),
  title: z.string(),
});
const lineSchema = z.tuple([z.number().min(0), z.literal('o'), z.string()]);

const demo = () => everyEvent().slice(0, 384);

const recorded = async (...options: readonly string[]) => {
  const cwd = tempDir();
  writeSession(cwd, demo());
  const { code, stderr } = await runProgram(['export', '--cast', 'run.cast', ...options], { cwd });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const text = readFileSync(join(cwd, 'run.cast'), 'utf8');
  const [first = '', ...rest] = text.trimEnd().split('\n');
  const lines = rest.map((line) => lineSchema.parse(JSON.parse(line)));
  return {
    cwd,
    text,
    header: headerSchema.parse(JSON.parse(first)),
    lines,
    seconds: lines.reduce((sum, [wait]) => sum + wait, 0),
  };
};

/** What a terminal shows after these bytes. */
const shownAfter = async (bytes: string): Promise<readonly string[]> => {
  const emulator = new headless.Terminal({ cols: size.columns, rows: size.rows, allowProposedApi: true });
  await new Promise<void>((resolve) => emulator.write(bytes, resolve));
  return Array.from(
    { length: size.rows },
    (_, row) => emulator.buffer.active.getLine(row)?.translateToString(true) ?? '',
  );
};

test('the last frame of a recording is the end of the session, with the keys of its own screen', async () => {
  const { cwd, lines, header } = await recorded();
  expect(header).toMatchObject({
    term: { cols: 120, rows: 36 },
    title: 'ralph-tui: Ship the greeter in four languages',
  });
  const terminal = openTerminal(['replay', pageSession, '--speed', '32'], {
    cwd,
    ...size,
    env: { COLORTERM: 'truecolor' },
  });
  await terminal.waitFor(/383 of 383 · at the end/);
  const last = await shownAfter(lines.map(([, , data]) => data).join(''));
  // A replay tells where it is, above the panes, and has keys of its own below them.
  const panes = (rows: readonly string[]): readonly string[] => rows.slice(3, -1);
  expect(panes(last)).toEqual(panes(terminal.screen().split('\n')));
  expect(last.join('\n')).toContain('10/10');
  expect(last.join('\n')).not.toContain('replay');
  expect(last.at(-1)).not.toContain('faster');
  const early = await shownAfter(
    lines
      .slice(0, 20)
      .map(([, , data]) => data)
      .join(''),
  );
  expect(early.at(-1)).toMatch(/p pause {2}s steer .* q quit/);
  terminal.kill('SIGTERM');
  await terminal.exit;
});

/** A picture that `npm run picture` writes. */
const kept = (name: string): string =>
  readFileSync(join(import.meta.dirname, `../picture/${name}.svg`), 'utf8');

test.each([
  ['demo-dark', ['asks to run `git tag notes-for-translators`', 'running', '#2', '10/10']],
  ['demo-light', ['asks to run `git tag notes-for-translators`', 'running', '#2', '10/10']],
  ['steer', ['Servus from Vienna', '10/10']],
  ['issues', ['implement-3_stream', '14/14']],
])('the moving picture %s of the README shows what it is for, within a minute', (name, texts) => {
  const picture = kept(name);
  for (const text of texts) expect(picture).toContain(text);
  const [, seconds = ''] = /animation:([\d.]+)s/.exec(picture) ?? [];
  expect(Number(seconds)).toBeGreaterThan(20);
  expect(Number(seconds)).toBeLessThan(60);
  const namesOf = (pattern: RegExp): readonly string[] =>
    [...picture.matchAll(pattern)].map(([, found = '']) => found);
  expect(namesOf(/<g class="x (\w+)">/g)).toEqual(namesOf(/@keyframes (\w+)/g));
});

test('a moving picture shows each text of a row while the recording has it', async () => {
  const file = join(tempDir(), 'small.cast');
  const head = { version: 3, term: { cols: 60, rows: 20, type: 'xterm' }, timestamp: 0, title: 'Small' };
  const events = [
    [0, 'o', 'one'],
    [2, 'o', '\r\u001b[1mtwo\u001b[m'],
    [1, 'o', ''],
  ];
  writeFileSync(file, [head, ...events].map((line) => `${JSON.stringify(line)}\n`).join(''));
  const picture = await animate(file, 'dark', 1);
  const stepsOf = (text: string): string => {
    const [, name = ''] = new RegExp(`<g class="x (\\w+)">[^\\n]*>${text}<`).exec(picture) ?? [];
    return new RegExp(`@keyframes ${name}\\{(.*?)\\}\\}`).exec(picture)?.[1] ?? '';
  };
  expect(stepsOf('one')).toMatch(/0\.00%\{visibility:visible\}\d+\.\d+%\{visibility:hidden$/);
  expect(stepsOf('two')).toMatch(/^0%\{visibility:hidden\}\d+\.\d+%\{visibility:visible$/);
  expect(picture).toContain('font-weight="bold">two<');
});

test('--from, --to and --speed choose a part and its length, and no wait is longer than two seconds', async () => {
  const whole = await recorded();
  const events = demo();
  const length = (Date.parse(events.at(-1)?.at ?? '') - Date.parse(events[0]?.at ?? '')) / 1_000;
  expect(Math.max(...whole.lines.map(([wait]) => wait))).toBeLessThanOrEqual(2.001);
  expect(whole.seconds).toBeLessThanOrEqual(length + 0.01);
  const part = await recorded('--from', '5s', '--to', '15s', '--speed', '2');
  expect(part.seconds).toBeCloseTo(5, 0);
  for (const bad of [
    ['--from', 'noon'],
    ['--from', '20s', '--to', '10s'],
    ['--size', '10x10'],
    ['--speed', '0'],
  ]) {
    const result = await runProgram(['export', '--cast', 'x.cast', ...bad], { cwd: whole.cwd });
    expect(result).toMatchObject({ code: 2 });
  }
});

test('a picture at a time shows the screen of that time, and `--structure` none of its text', async () => {
  const { cwd } = await recorded();
  const draw = async (...options: readonly string[]): Promise<string> => {
    expect(await runProgram(['export', '--svg', 'at.svg', ...options], { cwd })).toMatchObject({ code: 0 });
    return readFileSync(join(cwd, 'at.svg'), 'utf8');
  };
  const [early, late, light, bare] = [
    await draw('--at', '2s'),
    await draw(),
    await draw('--light'),
    await draw('--structure', '--at', '20s'),
  ];
  expect(early).toMatch(/^<svg xmlns/);
  expect(early).not.toBe(late);
  expect(late).toContain('10/10');
  expect(light).toContain('fill="#ffffff"');
  expect(early).toContain('Ship the greeter');
  for (const word of ['greeter', 'toolbox', 'catalogue', 'node tools']) expect(bare).not.toContain(word);
  expect(bare).toContain('task-1');
});

describe.skipIf(withoutBrowser !== null)('the official player', () => {
  test('reads a recording without a complaint, and knows how long it is', async () => {
    const { text, seconds } = await recorded('--to', '20s');
    const bundle = join(
      dirname(createRequire(import.meta.url).resolve('asciinema-player')),
      'bundle/asciinema-player.min.js',
    );
    const browser = await openBrowser();
    const page = await browser.newPage();
    const complaints = listenTo(page, 'about:blank');
    await page.setContent('<div id="player"></div>');
    await page.addScriptTag({ content: readFileSync(bundle, 'utf8') });
    const found = await page.evaluate(`(async () => {
      const player = AsciinemaPlayer.create({ data: ${JSON.stringify(text)} }, document.getElementById('player'), { preload: true, fit: false });
      await player.seek('100%');
      return await player.getDuration();
    })()`);
    expect(found).toBeCloseTo(seconds, 1);
    expect(complaints.console).toEqual([]);
    await browser.close();
  });
});
test.skipIf(withoutBrowser === null)(`skipped: the official player (${withoutBrowser ?? ''})`, () => {});
