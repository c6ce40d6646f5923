import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createNativeTracker } from '../../src/issues/trackers/native.ts';
import { repositoryWith } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openScreen } from '../helpers/terminal.ts';
import { trackerPorts } from '../helpers/tracker-ports.ts';

test('the start screen offers a ready group, lists its tasks, and starts it only then', async () => {
  const cwd = repositoryWith({ 'README.md': 'Greetings.\n' });
  const tracker = createNativeTracker(trackerPorts(cwd));
  const made = await tracker.create({ title: 'Greet in Vietnamese', body: 'Xin chào.', estimate: 'S' });
  const id = made.ok ? made.value.id : '';
  await tracker.create({ title: 'Show it on the page', blockedBy: [id], estimate: 'S' });
  const bin = tempDir();
  // It never answers: only what the screen starts is of interest.
  writeFileSync(join(bin, 'gemini'), '#!/bin/sh\nexec sleep 60\n');
  chmodSync(join(bin, 'gemini'), 0o755);
  const terminal = openScreen([], {
    cwd,
    columns: 120,
    rows: 36,
    env: { PATH: `${bin}:/usr/bin:/bin`, XDG_STATE_HOME: tempDir() },
  });
  await terminal.waitFor(/Issue \S+ +Greet in Vietnamese · and 1 more issue in its group/);
  terminal.type('\u001b[B\r');
  await terminal.waitFor(`Start issue ${id}?`);
  await terminal.waitFor(`plan-${id}`);
  await terminal.waitFor('reviewed by a person');
  const sessions = join(cwd, '.ralph-sessions');
  expect(() => readdirSync(sessions)).toThrow();
  terminal.type('y');
  await terminal.waitFor(/Greet in Vietnamese \(and 1 more issue/);
  await expect.poll(() => readdirSync(sessions).filter((name) => /^\d{6}-\d{6}$/.test(name)).length).toBe(1);
  const [session = ''] = readdirSync(sessions).filter((name) => /^\d{6}-\d{6}$/.test(name));
  const journal = join(sessions, session, 'journal.jsonl');
  await expect
    .poll(() => JSON.parse(readFileSync(journal, 'utf8').split('\n')[0] ?? '{}').flow?.issue)
    .toBe(id);
  terminal.type('A');
  await terminal.waitFor('ABORT');
  terminal.type('ABORT\r');
  await terminal.waitFor(/[Aa]borted/);
  terminal.type('\u0003\u0003');
  await terminal.exit;
});

test('on a terminal run --mode hero offers the ready groups, lists the tasks, and starts only then', async () => {
  const cwd = repositoryWith({
    'README.md': 'Greetings.\n',
    'agent.mjs': 'setTimeout(() => {}, 60_000);\n',
    '.ralph/config.yaml':
      'agents: {own: {type: command, command: [node, agent.mjs]}}\nroles: {executor: own}\n',
    '.ralph/issues/1.md': '---\ntitle: Greet in Vietnamese\nstate: ready-for-plan\n---\nXin chào.\n',
    '.ralph/issues/2.md': '---\ntitle: Show the time\nstate: ready-for-plan\n---\n',
  });
  const env = { XDG_STATE_HOME: tempDir() };
  const sessions = join(cwd, '.ralph-sessions');
  const start = () => openScreen(['run', '--mode', 'hero', '--no-discovery'], { cwd, env, asked: true });

  const left = start();
  await left.waitFor('Which issue?');
  await left.waitFor(/▌ ?1 +Greet in Vietnamese/);
  left.press('down');
  await left.waitFor(/▌ ?2 +Show the time/);
  left.press('enter');
  await left.waitFor('Start issue 2?');
  await left.waitFor('plan-2');
  left.press('escape');
  await left.waitFor('Nothing was started.');
  expect(await left.exit).toBe(0);
  expect(existsSync(sessions)).toBe(false);

  const terminal = start();
  await terminal.waitFor('Which issue?');
  terminal.press('enter');
  await terminal.waitFor('Start issue 1?');
  terminal.press('y');
  await terminal.waitFor(/\[y\/N/);
  terminal.type('y\r');
  await terminal.waitFor('1: Greet in Vietnamese');
  expect(readdirSync(sessions).filter((name) => /^\d{6}-\d{6}$/.test(name))).toHaveLength(1);
  terminal.type('A');
  await terminal.waitFor('ABORT');
  terminal.type('ABORT\r');
  await terminal.waitFor(/[Aa]borted/);
  terminal.type('\u0003\u0003');
  await terminal.exit;
});
