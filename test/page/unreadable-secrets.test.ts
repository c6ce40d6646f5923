import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openRecording } from '../../src/cli/export/write-recording.ts';
import { openJournalOf } from '../../src/cli/session/open-session.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { everyEvent, exportsOf, pageSession, writeSession } from '../helpers/page-session.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';

const secret = 'private words of four';

/** A session whose goal holds the value of a variable that one file gives an agent. */
const workspaceWith = (file: (workspace: string) => string, text: string): string => {
  const workspace = tempDir();
  writeSession(
    workspace,
    everyEvent().map((event) =>
      event.type === 'session.created' ? { ...event, goal: `Use ${secret}` } : event,
    ),
  );
  const path = file(workspace);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return workspace;
};

const recordingOf = async (cwd: string): Promise<unknown> => {
  const cli = createTestCli({ cwd, env: process.env });
  return openRecording(cli, openJournalOf(cli, undefined), {
    size: '120x36',
    light: false,
    structure: false,
  });
};

const configuration = (workspace: string): string => join(workspace, '.ralph/config.yaml');
const plan = (workspace: string): string =>
  join(sessionPaths(workspace, pageSession).directory, 'plan.source.yaml');
const instructions = (workspace: string): string => sessionPaths(workspace, pageSession).instructions;

const agents = `agents: {mine: {env: {MINE_API_KEY: "${secret}"}}}\n`;

test.each([
  ['an open bracket', configuration, `${agents}roles: [\n`, 'config.yaml:'],
  ['an anchor', configuration, `base: &base {a: 1}\n${agents}`, 'config.yaml:1'],
  ['two documents', configuration, `a: 1\n---\n${agents}`, 'config.yaml:'],
  [
    'a key twice',
    configuration,
    `agents: {}\nagents: {mine: {env: {A_TOKEN: "${secret}"}}}\n`,
    'config.yaml:2',
  ],
  ['an alias', plan, `${agents}tasks: *base\n`, 'plan.source.yaml:2'],
  [
    'front matter with an anchor',
    instructions,
    `---\nbase: &base 1\n${agents}---\nText\n`,
    'instructions.md:2',
  ],
  [
    'front matter of another language',
    instructions,
    `---js\n({env: {A_TOKEN: "${secret}"}})\n---\nText\n`,
    'instructions.md:1',
  ],
])(
  '%s in a file that may give secrets stops every export, which names the file and the line',
  async (_, file, text, where) => {
    const workspace = workspaceWith(file, text);
    const refused = { fault: { code: 'secrets-unknown', where: expect.stringContaining(where) } };
    await expect(exportsOf(workspace)).rejects.toMatchObject(refused);
    await expect(recordingOf(workspace)).rejects.toMatchObject(refused);
  },
);

test.each([
  ['a list', `- env: {A_TOKEN: "${secret}"}`],
  ['a map', `env: {A_TOKEN: "${secret}", PIN_TOKEN: 4815162342}`],
])('front matter that is %s gives its secrets', async (_, matter) => {
  const workspace = workspaceWith(instructions, `---\n${matter}\n---\nText\n`);
  const { html, json, model } = await exportsOf(workspace);
  expect(html + json).not.toContain(secret);
  expect(model.goal).toBe('Use [redacted]');
});

test('a number under a telling name is a secret too', async () => {
  const workspace = workspaceWith(configuration, 'agents: {mine: {env: {PIN_TOKEN: 4815162342}}}\n');
  writeSession(
    workspace,
    everyEvent().map((event) =>
      event.type === 'session.created' ? { ...event, goal: 'Dial 4815162342' } : event,
    ),
  );
  expect((await exportsOf(workspace)).model.goal).toBe('Dial [redacted]');
});

test('a text between two lines of dashes is no front matter and stops nothing', async () => {
  const workspace = workspaceWith(instructions, '---\nonly words\n---\nText\n');
  expect((await exportsOf(workspace)).model.goal).toBe(`Use ${secret}`);
});
