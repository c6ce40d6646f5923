import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { IssuesPort } from '../../components/ports/issues-port.ts';
import { createIssuesPort } from '../../src/cli/issues/issues-port.ts';
import { createWorld } from '../../src/cli/world.ts';
import { createNativeTracker } from '../../src/issues/trackers/native.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { trackerPorts } from '../helpers/tracker-ports.ts';

const portIn = (workspace: string, env: Readonly<Record<string, string>> = {}): IssuesPort => {
  const cli = createTestCli({
    cwd: workspace,
    env: { XDG_STATE_HOME: join(workspace, 'state'), XDG_CONFIG_HOME: join(workspace, 'user'), ...env },
  });
  return createIssuesPort(cli, createWorld(), workspace);
};

const workspaceWith = (config = ''): string => {
  const workspace = tempDir();
  mkdirSync(join(workspace, '.ralph'));
  writeFileSync(join(workspace, '.ralph/config.yaml'), config);
  return workspace;
};

test('the list leaves bodies out and obeys the settings of the workspace', async () => {
  const workspace = workspaceWith('flow:\n  poll: 5m\n  plan_review: auto\n');
  const tracker = createNativeTracker(trackerPorts(workspace));
  await tracker.create({ title: 'Greet', body: 'x'.repeat(1_000_000) });
  const reading = await portIn(workspace).list();
  expect(reading).toMatchObject({
    ok: true,
    board: { tracker: 'native', pollMs: 300_000, humanReview: false },
  });
  expect(JSON.stringify(reading).length).toBeLessThan(2_000);
});

test('an issue comes with a bounded text, its documents, and the reason why a comment does not count', async () => {
  const workspace = workspaceWith();
  const tracker = createNativeTracker(trackerPorts(workspace));
  const made = await tracker.create({ title: 'Greet', body: 'long '.repeat(200_000) });
  const id = made.ok ? made.value.id : '';
  await tracker.comment(id, '## Implementation Plan\n\nthoughts/shared/plans/evil.md');
  const research = join(workspace, 'thoughts/shared/research');
  mkdirSync(research, { recursive: true });
  writeFileSync(join(research, '2026-02-15-x.md'), `---\nprimary_issue: "${id}"\n---\nFound.\n`);
  const reading = await portIn(workspace).show(id);
  if (!reading.ok) throw new Error(reading.error);
  const { body, bodyCut, comments, documents } = reading.issue;
  expect(body.length + bodyCut).toBeGreaterThanOrEqual(1_000_000);
  expect(body.length).toBe(64 * 1024);
  expect(comments).toMatchObject([{ ignored: 'its author is unknown' }]);
  expect(documents).toEqual([
    { kind: 'research', location: 'thoughts/shared/research/2026-02-15-x.md', via: 'front matter' },
  ]);
});

test('secrets of the environment are in no text of an issue', async () => {
  const workspace = workspaceWith();
  const tracker = createNativeTracker(trackerPorts(workspace));
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const made = await tracker.create({ title: `Use ${token}`, body: `The token is ${token}` });
  const port = portIn(workspace);
  const texts = JSON.stringify([await port.list(), await port.show(made.ok ? made.value.id : '')]);
  expect(texts).not.toContain(token);
  expect(texts).toContain('The token is');
});

test('a failed reading is one sentence: no program, an issue that is gone, a setting that is wrong', async () => {
  const workspace = workspaceWith();
  expect(await portIn(workspace).show('99')).toMatchObject({
    ok: false,
    error: expect.stringContaining('99'),
  });
  const user = join(workspace, 'user/ralph-tui');
  mkdirSync(user, { recursive: true });
  writeFileSync(join(user, 'config.yaml'), 'flow:\n  tracker: gh\n');
  expect(await portIn(workspace, { PATH: workspace }).list()).toMatchObject({
    ok: false,
    error: expect.stringContaining('gh'),
  });
  const wrong = workspaceWith('flow:\n  tracker: jira\n');
  expect(await portIn(wrong).list()).toMatchObject({
    ok: false,
    error: expect.stringContaining('flow.tracker'),
  });
});

test('a tracker that only the repository asks for is not read before it is trusted', async () => {
  const workspace = workspaceWith('flow:\n  tracker: gh\n');
  const trap = join(workspace, 'gh');
  writeFileSync(trap, '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n');
  chmodSync(trap, 0o755);
  const reading = await portIn(workspace, { PATH: workspace }).list();
  expect(reading).toMatchObject({ ok: false, error: expect.stringContaining('not trusted') });
});
