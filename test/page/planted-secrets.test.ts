import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionPaths } from '../../src/session/paths.ts';
import { everyEvent, exportsOf, pageSession, withTexts, writeSession } from '../helpers/page-session.ts';
import { secretOf } from '../helpers/planted-secrets.ts';
import { tempDir } from '../helpers/temp-dir.ts';

test('secrets planted in every text of every event are in no export, and the removals are counted by kind', async () => {
  const workspace = tempDir();
  const planted: string[] = [];
  writeSession(
    workspace,
    withTexts(everyEvent(), (number) => {
      const { text, secret } = secretOf(number);
      planted.push(secret);
      return text;
    }),
  );
  expect(planted.length).toBeGreaterThan(500);
  const { html, markdown, json, model } = await exportsOf(workspace, { full: true });
  for (const [name, text] of Object.entries({ html, markdown, json }))
    expect(
      planted.filter((secret) => text.includes(secret)),
      name,
    ).toEqual([]);
  const kinds = model.removed.map(({ kind }) => kind);
  expect(kinds).toEqual(
    expect.arrayContaining(['API key', 'GitHub token', 'bearer token', 'password in a URL', 'private key']),
  );
  expect(html).toContain('GitHub token ×');
});

test('secrets in changes, in names of files, in output, in reports and in lessons are in no export', async () => {
  const workspace = tempDir();
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      cwd: workspace,
      encoding: 'utf8',
    });
  git('init', '-q');
  writeFileSync(join(workspace, 'README.md'), 'before\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  const [name, text, key, printed, report, lesson] = [1, 2, 8, 13, 21, 35].map(secretOf);
  const file = `${name?.text}.txt`;
  writeFileSync(join(workspace, 'README.md'), `before\n${text?.text}\n${key?.text}\n`);
  writeFileSync(join(workspace, file), 'new\n');

  const lessonFile = 'how-to/lesson.md';
  const events = everyEvent().map((event) =>
    event.type === 'knowledge.staged'
      ? { ...event, files: [lessonFile] }
      : event.type === 'tasks.defined'
        ? { ...event, tasks: event.tasks.map((task) => ({ ...task, files: ['README.md', file] })) }
        : event,
  );
  writeSession(workspace, events);
  const paths = sessionPaths(workspace, pageSession);
  const { directory, knowledge, reports } = paths.iteration(1);
  mkdirSync(join(knowledge, 'how-to'), { recursive: true });
  mkdirSync(reports, { recursive: true });
  mkdirSync(paths.logs, { recursive: true });
  writeFileSync(join(knowledge, lessonFile), `# A lesson\n\n${lesson?.text}\n`);
  writeFileSync(paths.log('html', 1), `printed ${printed?.text}\n`.repeat(40));
  writeFileSync(paths.iteration(1).report('html', 2), `# Report\n\n${report?.text}\n`);
  expect(directory).toContain(pageSession);

  const { html, markdown, json, model } = await exportsOf(workspace, { full: true });
  const planted = [name, text, key, printed, report, lesson].map((each) => each?.secret ?? '');
  for (const secret of planted) expect(html + markdown + json).not.toContain(secret);
  // The texts themselves are there: only the secrets are not.
  const task = model.tasks.find(({ id }) => id === 'html');
  expect(task?.attempts[0]?.output).toContain('printed');
  expect(task?.report.map((line) => line.text).join(' ')).toContain('Report');
  expect(model.changes.diff.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['README.md', '[redacted].txt']),
  );
});

test('a key in base64 or with escapes of a URL is in no export, and counts as encoded', async () => {
  const workspace = tempDir();
  const { secret } = secretOf(1);
  const encoded = [btoa(`GH=ghp_${secret}`), btoa(`a ghp_${secret}`), btoa(`ab ghp_${secret}`)];
  const hash = 'd670460b4b4aece5915caf5c68d12f560a9fe3e4d670460b4b4aece5915caf5c';
  const goal = `Use ${encoded.join(' ')} ghp%5F${secret} of ${hash} for 100%25 done`;
  writeSession(
    workspace,
    everyEvent().map((event) => (event.type === 'session.created' ? { ...event, goal } : event)),
  );
  const { html, markdown, json, model } = await exportsOf(workspace);
  for (const text of [...encoded, secret]) expect(html + markdown + json).not.toContain(text.slice(0, 24));
  expect(model.goal).toBe(`Use [redacted] [redacted] [redacted] [redacted] of ${hash} for 100%25 done`);
  expect(model.removed.find(({ kind }) => kind === 'encoded secret')?.count).toBeGreaterThanOrEqual(4);
});

test('the value of a secret variable goes from the page like a key', async () => {
  const workspace = tempDir();
  const value = 'a pass phrase of four';
  writeSession(
    workspace,
    everyEvent().map((event) =>
      event.type === 'session.created' ? { ...event, goal: `use ${value}!` } : event,
    ),
  );
  process.env['EXPORT_TEST_PASSWORD'] = value;
  try {
    const { html, json, model } = await exportsOf(workspace);
    expect(html + json).not.toContain(value);
    expect(model.goal).toBe('use [redacted]!');
    expect(model.removed).toContainEqual({ kind: 'value of a secret variable', count: 1 });
  } finally {
    delete process.env['EXPORT_TEST_PASSWORD'];
  }
});

test('`--structure` holds no text of the session at all, and still shows its shape', async () => {
  const workspace = tempDir();
  const events = withTexts(everyEvent(), (number) => `zebra${number}`);
  writeSession(
    workspace,
    JSON.parse(
      JSON.stringify(events).replaceAll(/"task-(\d+)"/g, (_, number: string) => `"zebra-task-${number}"`),
    ),
  );
  const whole = await exportsOf(workspace, { full: true });
  expect(whole.json).toContain('zebra');
  const { html, markdown, json, model } = await exportsOf(workspace, { full: true, structure: true });
  expect(html + markdown + json).not.toContain('zebra');
  expect(model.tasks.length).toBe(whole.model.tasks.length);
  expect(model.tasks.map(({ look }) => look)).toEqual(whole.model.tasks.map(({ look }) => look));
  expect(model.timeline.lanes.map(({ bars }) => bars.length)).toEqual(
    whole.model.timeline.lanes.map(({ bars }) => bars.length),
  );
  expect(model.steering.map(({ kind }) => kind)).toEqual(whole.model.steering.map(({ kind }) => kind));
});
