import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { paneKey } from '../helpers/pane-key.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openScreen } from '../helpers/terminal.ts';
import { waitFor } from '../helpers/workspace.ts';

/** The sign of a task at work: it turns while output arrives. */
const works = '[▸⠁-⣿]';

/** A row of the Tasks pane: glyph, id and status, whatever stands between them. */
const row = (glyph: string, id: string, status: string): RegExp => new RegExp(`${glyph} ${id} .*${status}`);

/**
 * The sample project with tools that take a third of their time: `demo.test.ts` runs it at its own pace. The two tools of the second wave wait for
 * the test: on a loaded machine they were over before it had looked.
 */
const quickDemo = (): string => {
  const workspace = tempDir();
  cpSync(join(import.meta.dirname, '../../src/samples/demo'), workspace, { recursive: true });
  const plan = join(workspace, 'plan.yaml');
  const quick = readFileSync(plan, 'utf8').replaceAll('node tools/', 'GREETER_PACE=0.5 node tools/');
  writeFileSync(
    plan,
    quick.replace(/\[(.* node tools\/(?:schema|collect)\.js)\]/g, `['${waitFor('wave')}', $1]`),
  );
  return workspace;
};

test('the sample session on a screen, from the first wave over the retry and the gate to its end', async () => {
  const workspace = quickDemo();
  const args = ['run', '--plan', 'plan.yaml', '--permissions', 'edits'];
  const terminal = openScreen(args, { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  // The whole graph fits: it comes first.
  await terminal.waitFor(/[│┃][ ▌][▸⠁-⣿✓] toolbox /);
  terminal.press('w');
  // Two side by side, and what waits says for what. That they run is shown a moment before what they do.
  const early = await terminal.waitFor(
    (screen) =>
      row(works, 'schema', 'running').test(screen) &&
      row(works, 'messages', 'running').test(screen) &&
      /▸ Now: (schema|messages): .*waiting/.test(screen),
  );
  expect(terminal.isAlternate()).toBe(true);
  expect(early).toMatch(/Plan › \[Work\] › Review › Learn › Done/);
  expect(early).toMatch(row('✓', 'toolbox', 'done'));
  expect(early).toMatch(/· catalogue .*waits for schema/);
  expect(early).not.toMatch(/Inbox|attempt 1/);
  writeFileSync(join(workspace, 'go-wave'), '');
  // The sample agent asks before it runs a command.
  await terminal.waitFor(/git tag notes-for-translators/);
  terminal.press('u');
  await terminal.waitFor(/1 (?:once|yes|allow)/i);
  terminal.press('1');
  // One fails its review, says why, and passes on its second attempt.
  await terminal.waitFor(row(works, 'html', 'running #2'));
  await terminal.waitFor(row('✓', 'html', 'done'));
  const gate = await terminal.waitFor(/Waiting for you: keep \d+ lessons?/);
  expect(gate).toMatch(/10 of 10 done/);
  expect(gate).toMatch(/Review › \[Learn\] › Done/);
  expect(gate).toMatch(/Needs you \(1\)/);
  terminal.press('u');
  await terminal.waitFor(/Keep these lessons\?/);
  terminal.press('a');
  await terminal.waitFor(/Keep all \d+\?/);
  terminal.press('enter');
  const end = await terminal.waitFor(/Complete: 10 of 10 tasks done, \d+ lessons kept/);
  expect(end).toMatch(/Learn › \[Done\]/);
  terminal.press('q');
  expect(await terminal.exit).toBe(0);
  expect(terminal.isAlternate()).toBe(false);
  expect(readFileSync(join(workspace, 'build/greetings.html'), 'utf8')).toContain('&amp;');
  expect(readdirSync(join(workspace, '.docs'))).toContain('index.md');
});

test('the sample loop on a screen: its turns, their decisions, DRAINING, and its end', async () => {
  const terminal = openScreen(['demo', 'loop'], { cwd: tempDir(), columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  const early = await terminal.waitFor(
    (screen) => row('✓', 'turn-1', 'done').test(screen) && row(works, 'turn-2', 'running').test(screen),
  );
  expect(early).toMatch(/\d:\d\d of 9h00[\s\S]*turn 2 of 8/);
  expect(early).toMatch(/▰▰▱▱▱▱▱▱▱▱ 1\/5 boxes/);
  expect(early).toMatch(row('✓', 'turn-1', '2 files, 1/5 boxes +done'));
  terminal.press('g');
  await terminal.waitFor(/▌[├└] ✓ turn-1/);
  terminal.press('enter');
  const details = await terminal.waitFor(/Decide\s*\n.*turn 2 follows/);
  expect(details).toMatch(/Observe[\s\S]*2 files changed[\s\S]*Orient[\s\S]*Decide[\s\S]*Act/);
  await terminal.waitFor(/ends soon: \d turns left after this one/);
  const end = await terminal.waitFor(/Complete after 5 turns: every box is ticked/);
  expect(end).toMatch(/Drain › \[Done\]/);
  await terminal.waitFor('prints the report');
  terminal.press('escape');
  await terminal.waitFor((screen) => !screen.includes('prints the report'));
  terminal.press(paneKey('events'));
  await terminal.waitFor(/no further turn begins: complete: every/);
  terminal.press('q');
  expect(await terminal.exit).toBe(0);
  expect(terminal.isAlternate()).toBe(false);
});
