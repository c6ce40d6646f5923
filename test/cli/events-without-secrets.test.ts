import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRedact } from '../../src/base/redact.ts';
import { eventsWithoutSecrets } from '../../src/cli/events-without-secrets.ts';
import { openJournalOf } from '../../src/cli/session/open-session.ts';
import type { Event } from '../../src/pipeline/event.ts';
import { everyEvent, withTexts } from '../helpers/page-session.ts';
import { defineTask } from '../helpers/pipeline-run.ts';
import { secretOf } from '../helpers/planted-secrets.ts';
import { root } from '../helpers/source-tree.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';

const [id, title] = [secretOf(1), secretOf(2)];

test('an event whose task id is a secret stays, under another name and without its other secrets', () => {
  const defined: Event = {
    seq: 1,
    at: '',
    type: 'tasks.defined',
    tasks: [{ ...defineTask(id.text), title: title.text }, defineTask('next', { blockedBy: [id.text] })],
  };
  const { events, nameOf } = eventsWithoutSecrets(createRedact(), [defined]);
  expect(events).toMatchObject([
    { tasks: [{ id: 'redacted-1' }, { id: 'next', blockedBy: ['redacted-1'] }] },
  ]);
  expect(JSON.stringify(events)).not.toContain(id.secret);
  expect(JSON.stringify(events)).not.toContain(title.secret);
  expect(nameOf(id.text)).toBe('redacted-1');
});

test('an event that is invalid without its secret is left out and counted, never kept whole', () => {
  // Its value stands where only certain words may: as the type of every session's start.
  const secret = 'session.started';
  const events = everyEvent();
  let left = 0;
  const clean = eventsWithoutSecrets(createRedact([secret]), events, () => {
    left += 1;
  }).events;
  expect(JSON.stringify(clean)).not.toContain(secret);
  expect(left).toBeGreaterThan(0);
  expect(clean.length).toBe(events.length - left);
});

test('no planted secret is left in any event of any type', () => {
  const planted: string[] = [];
  const events = withTexts(everyEvent(), (number) => {
    const { text, secret } = secretOf(number);
    planted.push(secret);
    return text;
  });
  const text = JSON.stringify(eventsWithoutSecrets(createRedact(), events).events);
  expect(planted.length).toBeGreaterThan(500);
  expect(planted.filter((secret) => text.includes(secret))).toEqual([]);
});

test('a foreign session whose tasks are called by a secret opens without it', () => {
  const workspace = tempDir();
  const sessions = join(workspace, '.ralph-sessions');
  cpSync(join(root, 'test/fixtures/sessions/v2.2'), sessions, { recursive: true });
  const cli = createTestCli({ cwd: workspace, env: process.env });
  const { state, paths } = openJournalOf(cli, undefined);
  const task = 'task-1';
  expect(state.tasks.has(task)).toBe(true);
  const progress = join(paths.directory, 'iterations/2/progress.md');
  writeFileSync(progress, readFileSync(progress, 'utf8').replaceAll(task, id.text));
  const { events } = openJournalOf(cli, undefined);
  expect(JSON.stringify(events)).not.toContain(id.secret);
  expect(JSON.stringify(events)).toContain('redacted-1');
});
