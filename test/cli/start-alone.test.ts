import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Fault } from '../../src/base/fault.ts';
import { prepareFlow } from '../../src/cli/host/prepare-flow.ts';
import type { EngineRequest } from '../../src/cli/host/wire.ts';
import { startAlone } from '../../src/cli/issues/start-alone.ts';
import { createWorld } from '../../src/cli/world.ts';
import { indexIssues } from '../../src/issues/issue-index.ts';
import type { FlowStart } from '../../src/pipeline/modes/flow/flow-state.ts';
import { acquireLock } from '../../src/session/lock.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { flowIssues, flowStory } from '../helpers/flow-story.ts';
import { storedId, storeStory } from '../helpers/stored-story.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { workspaceWith, writeIn } from '../helpers/workspace.ts';

const world = createWorld();

/** Holds the session as this process, which lives. */
const held = (workspace: string, session: string): void => {
  const { disk, random, spawn } = world;
  acquireLock(disk, random, sessionPaths(workspace, session), spawn.self, spawn.isAlive);
};

const issuesIn = (workspace: string, matter: (id: string) => string): void => {
  for (const { id, title } of flowIssues)
    writeIn(workspace, `.ralph/issues/${id}.md`, `---\ntitle: ${title}\n${matter(id)}\n---\n`);
};

const prepared = (workspace: string, issue: string) => {
  const cli = createTestCli({ cwd: workspace, env: { XDG_STATE_HOME: tempDir(), PATH: '/usr/bin:/bin' } });
  writeIn(
    workspace,
    '.ralph/config.yaml',
    'agents: {own: {type: command, command: [node, x.mjs]}}\nroles: {executor: own}\n',
  );
  const start = { workspace, issue, only: false, source: 'goal', mode: 'plain', flags: {} } as const;
  return prepareFlow(cli, world, start);
};

test('an issue in the list of a session that runs is refused with 3, whichever issue that one was started for', async () => {
  const workspace = storeStory(flowStory());
  issuesIn(workspace, () => 'state: ready-for-plan');
  held(workspace, storedId);
  await expect(prepared(workspace, '44')).rejects.toMatchObject({
    code: 3,
    fault: {
      code: 'already-running',
      what: expect.stringContaining(`issue 44 is already being worked on: session ${storedId}`),
      hint: expect.stringContaining('ralph-tui attach'),
    },
  });
  writeFileSync(join(workspace, '.ralph/issues/50.md'), '---\ntitle: Alone\nstate: ready-for-plan\n---\n');
  expect(await prepared(workspace, '50')).toMatchObject({ kind: 'new' });
});

test('the lock of a session that nobody runs is no obstacle, and one of another machine is', async () => {
  const workspace = workspaceWith({});
  const lockOf = (machine: string): string =>
    `state: plan-in-progress\nlock: {holder: {machine: ${machine}, workspace: ${workspace}, session: 260215-090000}, since: "2026-01-01"}`;
  issuesIn(workspace, () => lockOf(hostname()));
  const free = await prepared(workspace, '44');
  expect(free.kind === 'new' && free.context.position).toMatchObject({
    recommendation: 'proceed',
    phase: 'PLAN',
  });
  issuesIn(workspace, () => lockOf('elsewhere'));
  const waits = await prepared(workspace, '44');
  expect(waits.kind === 'new' && waits.context.position.recommendation).toBe('wait');
});

test('of two starts at the same moment the second finds the first, although neither saw the other before', async () => {
  const workspace = workspaceWith({});
  world.disk.mkdir(join(workspace, '.ralph-sessions'));
  const begun: string[] = [];
  const start = (session: string, issue: string, mine: readonly string[]): Promise<Fault | null> => {
    const flow: FlowStart = {
      issue,
      only: false,
      tracker: 'native',
      review: 'auto',
      auto_merge: false,
      fill: 'fresh',
      holder: { machine: hostname(), workspace, session },
    };
    const settings = defaultSettings;
    const begin: EngineRequest['begin'] = {
      kind: 'new',
      goal: '',
      source: 'goal',
      settings,
      mode: 'flow',
      flow,
    };
    const request: EngineRequest = {
      paths: sessionPaths(workspace, session),
      begin,
      settings,
      attended: false,
      config: null,
      agentFiles: [],
      flags: {},
      issues: { tracker: 'native', issues: mine, index: indexIssues(flowIssues) },
    };
    return startAlone(world, request, async () => {
      await new Promise<void>((resolve) => void world.clock.after(1, resolve));
      writeIn(
        workspace,
        join('.ralph-sessions', session, 'journal.jsonl'),
        `${JSON.stringify({ seq: 1, at: '', type: 'session.created', session_id: session, workspace, goal: '', source: 'goal', settings, mode: 'flow', flow })}\n`,
      );
      held(workspace, session);
      begun.push(session);
      return null;
    });
  };
  const ends = await Promise.all([
    start('260215-101500', '42', ['42', '43']),
    start('260215-101501', '43', ['43']),
    start('260215-101502', '44', ['44']),
  ]);
  expect(ends).toMatchObject([null, { code: 'already-running' }, null]);
  expect(begun).toEqual(['260215-101500', '260215-101502']);
});
