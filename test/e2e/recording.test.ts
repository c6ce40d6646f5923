import { readFileSync } from 'node:fs';
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

/** What a terminal shows after these bytes, without the line that says where a replay is. */
const shownAfter = async (bytes: string): Promise<readonly string[]> => {
  const emulator = new headless.Terminal({ cols: size.columns, rows: size.rows, allowProposedApi: true });
  await new Promise<void>((resolve) => emulator.write(bytes, resolve));
  return Array.from(
    { length: size.rows },
    (_, row) => emulator.buffer.active.getLine(row)?.translateToString(true) ?? '',
  );
};

test('the last frame of a recording is the end of the replay', async () => {
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
  await terminal.waitFor(/383 of 383 · at the end/, 60_000);
  const last = await shownAfter(lines.map(([, , data]) => data).join(''));
  // The two play at different speeds, which the screen tells.
  const plain = (text: string): string =>
    text
      .replace(/×\d+ /, '× ')
      .split('\n')
      .map((row) => row.replace(/ {4,}/g, '    ').trimEnd())
      .join('\n');
  expect(plain(last.join('\n'))).toBe(plain(terminal.screen()));
  terminal.kill('SIGTERM');
  await terminal.exit;
});

/** The recording of the demo that `npm run picture` writes. */
const kept = (): string => readFileSync(join(import.meta.dirname, '../picture/demo.cast'), 'utf8');

test('the kept recording of the demo is 40 seconds from its start to the end of its replay', async () => {
  const [first = '', ...rest] = kept().trimEnd().split('\n');
  expect(headerSchema.parse(JSON.parse(first))).toMatchObject({ term: { cols: 120, rows: 36 } });
  const lines = rest.map((line) => lineSchema.parse(JSON.parse(line)));
  const length = lines.reduce((sum, [wait]) => sum + wait, 0);
  expect(Math.abs(length - 40)).toBeLessThan(2);
  const last = (await shownAfter(lines.map(([, , data]) => data).join(''))).join('\n');
  expect(last).toContain('at the end');
  expect(last).toContain('10/10');
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
  test.each([
    ['a recording', () => recorded('--to', '20s')],
    [
      'the kept recording',
      () => {
        const waits = kept().trimEnd().split('\n').slice(1);
        return {
          text: kept(),
          seconds: waits.reduce((sum, line) => sum + lineSchema.parse(JSON.parse(line))[0], 0),
        };
      },
    ],
  ])('reads %s without a complaint, and knows how long it is', async (_, open) => {
    const { text, seconds } = await open();
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
