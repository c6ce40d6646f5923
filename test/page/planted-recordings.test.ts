import { mkdirSync, writeFileSync } from 'node:fs';
import headless from '@xterm/headless';
import { expect, test } from 'vitest';
import { drawCast, drawPicture, openRecording } from '../../src/cli/export/write-recording.ts';
import { openJournalOf } from '../../src/cli/session/open-session.ts';
import type { Event, EventBody } from '../../src/pipeline/event.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { everyEvent, exportsOf, pageSession, withTexts, writeSession } from '../helpers/page-session.ts';
import { defineTask } from '../helpers/pipeline-run.ts';
import { secretOf } from '../helpers/planted-secrets.ts';
import { createStory } from '../helpers/story.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';

const size = { columns: 160, rows: 50 };

/** Every screen of the recording, each as its rows with and without line breaks, then the picture of the end. */
const recordingOf = async (workspace: string) => {
  const cli = createTestCli({ cwd: workspace, env: process.env });
  const recording = openRecording(cli, openJournalOf(cli, undefined), {
    size: `${size.columns}x${size.rows}`,
    light: false,
    structure: false,
  });
  const cast = await drawCast(recording, { speed: 4 });
  const emulator = new headless.Terminal({ cols: size.columns, rows: size.rows, allowProposedApi: true });
  const screens: string[] = [];
  for (const line of cast.trimEnd().split('\n').slice(1)) {
    const [, , bytes] = JSON.parse(line);
    await new Promise<void>((resolve) => emulator.write(String(bytes), resolve));
    const rows = Array.from(
      { length: size.rows },
      (_, row) => emulator.buffer.active.getLine(row)?.translateToString(true) ?? '',
    );
    screens.push(rows.join('\n'), rows.map((row) => row.replaceAll(/[│┃]/g, '').trim()).join(''));
  }
  const svg = await drawPicture(recording, undefined);
  return {
    cast,
    screens,
    svg,
    shown: [cast, svg, svg.replaceAll(/<[^>]*>\s*/g, ''), ...screens],
    removed: recording.removed,
  };
};

/** Parts of a secret count too: a row may end in the middle of one. */
const seenOf = (planted: readonly string[], shown: readonly string[]): readonly string[] =>
  planted.filter((secret) =>
    shown.some(
      (text) =>
        text.includes(secret) || text.includes(secret.slice(0, 14)) || text.includes(secret.slice(-14)),
    ),
  );

test('secrets planted in every text of every event are in no frame of a recording and in no picture', async () => {
  const workspace = tempDir();
  const planted: string[] = [];
  writeSession(
    workspace,
    withTexts(everyEvent(), (number) => {
      const { text, secret } = secretOf(number);
      // The letters of all are the same: only the number tells one from another.
      planted.push(secret);
      return text;
    }),
  );
  const { shown, screens, removed } = await recordingOf(workspace);
  expect(screens.length).toBeGreaterThan(50);
  expect(screens.join()).toContain('[redacted]');
  expect(seenOf(planted, shown)).toEqual([]);
  expect(removed.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['GitHub token', 'private key']));
});

/** The events of a session in which one task has this id. */
const withTaskCalled = (id: string, goal: string): readonly Event[] =>
  JSON.parse(
    JSON.stringify(
      everyEvent().map((event) => (event.type === 'session.created' ? { ...event, goal } : event)),
    )
      .replaceAll('"catalogue"', JSON.stringify(id))
      .replaceAll('Build the catalogue', `Use ${secretOf(2).text} for ${id}`),
  );

test('a key that is the id of a task hides no other secret beside it, and is in no export itself', async () => {
  const workspace = tempDir();
  const id = secretOf(1).text;
  writeSession(workspace, withTaskCalled(id, `Ship with ${secretOf(7).text}`));
  const planted = [1, 2, 7].map((number) => secretOf(number).secret);
  const { shown, screens } = await recordingOf(workspace);
  expect(seenOf(planted, shown)).toEqual([]);
  expect(screens.at(-2)).toContain('redacted-1');
  const { html, markdown, json, model } = await exportsOf(workspace, { full: true });
  expect(seenOf(planted, [html, markdown, json])).toEqual([]);
  // The task is there under another name, with its attempts.
  const plain = tempDir();
  writeSession(plain, withTaskCalled('catalogue', 'Ship'));
  const { model: before } = await exportsOf(plain, { full: true });
  expect(model.tasks.map(({ attempts }) => attempts.length)).toEqual(
    before.tasks.map(({ attempts }) => attempts.length),
  );
});

test('a secret in two pieces of an output is in no frame', async () => {
  const workspace = tempDir();
  const paths = sessionPaths(workspace, pageSession);
  const { text, secret } = secretOf(1);
  const said = `I found ${text.slice(0, 12)}${text.slice(12)} in the file.\n`;
  const cut = Buffer.byteLength(`I found ${text.slice(0, 12)}`);
  const file = 'logs/schema.attempt-1.log';
  const story = createStory()
    .begin('Ship')
    .tasks([defineTask('schema')])
    .wave(1, ['schema'])
    .starts('schema');
  const invocation = story.events.findLast(({ type }) => type === 'invocation.started');
  const tool = (call: string, from: number, to: number): EventBody => ({
    type: 'tool.started',
    invocation: invocation?.type === 'invocation.started' ? invocation.invocation : '',
    task: 'schema',
    attempt: 1,
    call,
    kind: 'read',
    title: 'Read',
    paths: [],
    log: { file, from, to },
  });
  const { events } = story.add(tool('1', 0, cut)).add(tool('2', cut, Buffer.byteLength(said)));
  writeSession(workspace, events);
  mkdirSync(paths.logs, { recursive: true });
  writeFileSync(`${paths.directory}/${file}`, said);
  const { shown } = await recordingOf(workspace);
  expect(shown.join()).toContain('I found');
  expect(seenOf([secret], shown)).toEqual([]);
});

test('keys that a configuration or the plan of the session gives an agent are secrets of every export', async () => {
  const workspace = tempDir();
  const [ours, theirs, step] = ['our private words', 'their private words', 'a step of private words'];
  mkdirSync(`${workspace}/.ralph`, { recursive: true });
  writeFileSync(
    `${workspace}/.ralph/config.yaml`,
    `agents: {mine: {type: acp, command: [mine], env: {MINE_API_KEY: "${ours}"}}}\n`,
  );
  const events = everyEvent().map((event) =>
    event.type === 'session.created' ? { ...event, goal: `Use ${ours}, ${theirs} and ${step}` } : event,
  );
  writeSession(workspace, events);
  writeFileSync(
    `${sessionPaths(workspace, pageSession).directory}/plan.source.yaml`,
    `goal: x\nsettings: {agents: {yours: {env: {YOUR_TOKEN: "${theirs}"}}}}\ntasks:\n  - {id: a, run: [{cmd: [x], env: {DB_PASSWORD: "${step}"}}]}\n`,
  );
  const { shown } = await recordingOf(workspace);
  expect(seenOf([ours, theirs, step], shown)).toEqual([]);
  const { html, markdown, json } = await exportsOf(workspace);
  expect(seenOf([ours, theirs, step], [html, markdown, json])).toEqual([]);
});
