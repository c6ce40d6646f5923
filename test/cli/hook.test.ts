import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Cli } from '../../src/cli/cli.ts';
import { answerEvent } from '../../src/cli/integrations/hook/answer-event.ts';
import { type HookEventName, intentOf, readEvent } from '../../src/cli/integrations/hook/hook-event.ts';
import { lookQuickly } from '../../src/cli/integrations/hook/quick-look.ts';
import { saveGuidance } from '../../src/cli/trust/guidance-store.ts';
import { createWorld } from '../../src/cli/world.ts';
import type { FlowRole } from '../../src/issues/task-list/task-phase.ts';
import { noGuidance } from '../../src/session/guidance/guidance.ts';
import type { Agent } from '../../src/signals/signal.ts';
import { taskOf } from '../helpers/role-port.ts';
import { sessionFixture } from '../helpers/session-fixture.ts';
import { dropSignal, storedId, storeStory } from '../helpers/stored-story.ts';
import { createStory, type Story } from '../helpers/story.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { workspaceWith, writeIn } from '../helpers/workspace.ts';

/** An event as Claude Code 2.1.197 sent it to a hook (recorded against a scripted model), as if it had happened in the workspace. */
const written = (name: string, workspace: string): string =>
  readFileSync(join(import.meta.dirname, `../fixtures/claude-hooks/${name}.json`), 'utf8').replaceAll(
    '/home/kim/greeter',
    workspace,
  );

const names: Readonly<Record<string, HookEventName>> = {
  pre: 'PreToolUse',
  post: 'PostToolUse',
  stop: 'Stop',
};

const recorded = readdirSync(join(import.meta.dirname, '../fixtures/claude-hooks')).map((file) =>
  file.replace('.json', ''),
);

const hooks = (workspace: string, env: Cli['env'] = { XDG_STATE_HOME: tempDir() }) => {
  const cli = createTestCli({ cwd: workspace, env });
  return {
    cli,
    fire: (
      fixture: string,
      {
        role = 'Executor',
        session,
        team = null,
      }: { role?: Agent; session?: string; team?: FlowRole | null } = {},
    ) => {
      const event = readEvent(written(fixture, workspace));
      const name = names[fixture.split('-')[0] ?? ''];
      if (!event || !name) throw new Error(`no event ${fixture}`);
      return answerEvent(cli, { name, event, workspace, session, role, team });
    },
  };
};

const story = (): Story =>
  createStory()
    .begin('Ship it')
    .tasks([taskOf({ id: 'one' }), taskOf({ id: 'two', blockedBy: ['one'] })]);

const denied = (reason: string) => ({
  json: {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining(reason),
    },
  },
});

test('after a tool an agent gets each pending STEER and INFO for its role once, and they stay in the mailbox', async () => {
  const workspace = storeStory(story());
  const { fire } = hooks(workspace);
  expect(await fire('post-edit')).toEqual({});
  dropSignal(workspace, '0001', { type: 'STEER', target: 'Executor', message: "Use 'bar'.", from: 'kim' });
  dropSignal(workspace, '0002', { type: 'INFO', target: 'ALL', message: 'Port 8080.' });
  dropSignal(workspace, '0003', { type: 'INFO', target: 'Reviewer', message: 'Not yours.' });
  expect(await fire('post-edit')).toEqual({
    json: {
      hookSpecificOutput: {
        hookEventName: 'PostToolUse',
        additionalContext: expect.stringMatching(
          /^STEER from kim: Use 'bar'\.\nINFO: Port 8080\.\nThese messages come from the person in charge; a STEER is an order\. /,
        ),
      },
    },
  });
  expect(await fire('post-edit')).toEqual({});
  expect(JSON.stringify(await fire('post-edit', { role: 'Reviewer' }))).toContain('Not yours.');
});

test('many messages come in parts that Claude Code shows in full', async () => {
  const workspace = storeStory(story());
  const { fire } = hooks(workspace);
  for (const index of [1, 2, 3, 4])
    dropSignal(workspace, `000${index}`, {
      type: 'INFO',
      target: 'Executor',
      message: String(index).repeat(3_000),
    });
  const told = JSON.stringify([await fire('post-edit'), await fire('post-edit')]);
  for (const index of [1, 2, 3, 4]) expect(told.split(String(index).repeat(3_000))).toHaveLength(2);
  expect(await fire('post-edit')).toEqual({});
});

test('before a tool a PAUSE or ABORT denies, read or not, and our own tools stay open', async () => {
  const workspace = storeStory(story());
  const { fire, cli } = hooks(workspace);
  expect(await fire('pre-bash')).toEqual({});
  dropSignal(workspace, '0001', { type: 'PAUSE', target: 'ALL', from: 'kim' });
  expect(await fire('pre-read')).toEqual(denied(`Session ${storedId} is paused (kim sent PAUSE).`));
  expect(await fire('post-edit')).toEqual({});
  expect(await fire('stop')).toEqual({});
  const own = readEvent(written('pre-read', workspace).replace('"Read"', '"mcp__ralph__task_list"'));
  if (!own) throw new Error('no event');
  const asked = {
    name: 'PreToolUse',
    event: own,
    workspace,
    session: undefined,
    role: 'Executor',
    team: null,
  } as const;
  expect(await answerEvent(cli, asked)).toEqual({});
  dropSignal(workspace, '0002', { type: 'ABORT', target: 'ALL' });
  expect(await fire('pre-bash')).toEqual(denied('was aborted (a signal file sent ABORT)'));
});

test('a hold that was journaled denies too, with who asked for it', async () => {
  const held = story().add({ type: 'hold.requested', signal: null, by: 'kim', message: 'lunch' });
  expect(await hooks(storeStory(held)).fire('pre-read')).toEqual(denied('(kim paused it: lunch)'));
});

test('before a tool the guidance is held, with or without a session, and only what this person trusts counts', async () => {
  const workspace = workspaceWith({ 'src/gen/api.ts': '' });
  const { fire, cli } = hooks(workspace);
  const forbidden = [{ path: 'src/gen/**' }, { command: 'git push' }];
  saveGuidance(cli, createWorld(), workspace, { ...noGuidance, forbidden });
  expect(await fire('pre-write')).toEqual(denied("the person's guidance forbids path:src/gen/**"));
  expect(await fire('pre-bash')).toEqual(denied('`git push origin main` must not be run'));
  expect(await fire('pre-read')).toEqual({});
  writeIn(workspace, '.ralph/guidance.yaml', 'forbidden: [{path: "**"}]\n');
  expect(await fire('pre-write')).toEqual({});
});

test('the end of an agent is refused once for each state of the work that its role has left', async () => {
  const workspace = storeStory(story());
  const { fire } = hooks(workspace);
  const left = {
    blocks: `Session ${storedId} has ready work for the Executor: one.`,
  };
  expect(await fire('stop')).toEqual(left);
  expect(await fire('stop')).toEqual({});
  expect(await fire('stop', { role: 'Librarian' })).toEqual({});
  const done = story().starts('one').qualifies('one');
  writeFileSync(
    join(workspace, '.ralph-sessions', storedId, 'journal.jsonl'),
    done.events.map((event) => `${JSON.stringify(event)}\n`).join(''),
  );
  expect(await fire('stop')).toEqual({ blocks: left.blocks.replace('one.', 'two.') });
});

test('where nothing can be remembered, an end that was refused is let through', async () => {
  const workspace = storeStory(story());
  const { cli } = hooks(workspace, { XDG_STATE_HOME: '/dev/null' });
  const event = readEvent(written('stop-again', workspace));
  if (!event) throw new Error('no event');
  const asked = { name: 'Stop', event, workspace, session: undefined, role: 'Executor', team: null } as const;
  expect(await answerEvent(cli, asked)).toEqual({});
});

test('a worker of ours, a session of another program and one that is complete are left alone', async () => {
  const workspace = storeStory(story());
  dropSignal(workspace, '0001', { type: 'PAUSE', target: 'ALL' });
  const own = hooks(workspace, { XDG_STATE_HOME: tempDir(), RALPH_RUN: '/x/Executor-1' });
  for (const fixture of ['pre-bash', 'post-edit', 'stop']) expect(await own.fire(fixture)).toEqual({});
  for (const other of [sessionFixture('v2.6').workspace, storeStory(story().state('COMPLETE'))])
    for (const fixture of ['pre-bash', 'post-edit', 'stop'])
      expect(await hooks(other).fire(fixture)).toEqual({});
});

test('what there is to look at is known by a few small files, also from a folder below', () => {
  const workspace = storeStory(story());
  writeIn(workspace, 'deep/er/x', '');
  writeIn(workspace, `.ralph-sessions/${storedId}.instructions.md`, 'Ship it');
  const idle = {
    workspace,
    hasSession: true,
    hasMail: false,
    mayHold: true,
    hasGuidance: false,
    hasIssues: false,
  };
  expect(lookQuickly([join(workspace, 'deep/er')])).toEqual(idle);
  dropSignal(workspace, '0001', { type: 'PAUSE', target: 'ALL' });
  expect(lookQuickly(['/nowhere', workspace])).toEqual({ ...idle, hasMail: true });
  writeIn(
    workspace,
    join('.ralph-sessions', storedId, 'metadata.yaml'),
    'orchestrator:\n  state: COMPLETE\n',
  );
  expect(lookQuickly([workspace])).toEqual({ ...idle, hasSession: false, mayHold: false });
  const aborted = 'status: aborted\norchestrator:\n  state: COMPLETE\n  paused: null\n';
  writeIn(workspace, join('.ralph-sessions', storedId, 'metadata.yaml'), aborted);
  expect(lookQuickly([workspace])).toMatchObject({ hasSession: true, mayHold: true });
  writeIn(workspace, '.ralph-sessions/990101-000000/metadata.yaml', 'orchestrator:\n  state: COMPLETE\n');
  expect(lookQuickly([workspace])).toMatchObject({ hasSession: false, mayHold: false });
  expect(lookQuickly([tempDir()])).toBeNull();
});

test('nothing holds a session whose record says so and that took no signal since', () => {
  const workspace = storeStory(story());
  const directory = join(workspace, '.ralph-sessions', storedId);
  const mayHold = () => lookQuickly([workspace])?.mayHold;
  const record = (paused: string) =>
    writeIn(directory, 'metadata.yaml', `orchestrator:\n  state: EXECUTING_BATCH\n  paused: ${paused}\n`);
  writeIn(directory, 'signals/processed/signal.old.yaml', '');
  record('null');
  expect(mayHold()).toBe(false);
  utimesSync(join(directory, 'signals/processed'), new Date(), new Date(Date.now() + 1_000));
  expect(mayHold()).toBe(true);
  utimesSync(join(directory, 'signals/processed'), 1, 1);
  expect(mayHold()).toBe(false);
  writeIn(directory, 'signals/claimed/signal.now.yaml', '');
  expect(mayHold()).toBe(true);
  rmSync(join(directory, 'signals/claimed/signal.now.yaml'));
  dropSignal(workspace, '0001', { type: 'PAUSE', target: 'ALL' });
  expect(mayHold()).toBe(true);
  rmSync(join(directory, 'signals/inputs'), { recursive: true });
  expect(mayHold()).toBe(false);
  record('{ since: 2026-02-15T10:20:00+00:00, signal: null, by: kim }');
  expect(mayHold()).toBe(true);
});

test.each(recorded)('the recorded event %s is read, and says what it is about', (name) => {
  const text = written(name, '/work');
  const event = readEvent(text);
  expect(event).toMatchObject({ session_id: expect.stringMatching(/^[0-9a-f-]{36}$/), cwd: '/work' });
  expect(text).toContain('"hook_event_name"');
  const about: Readonly<Record<string, object>> = {
    'pre-bash': { command: 'cd greeter && git push origin main' },
    'pre-write': { path: '/work/src/gen/api.ts' },
    'post-edit': { path: '/work/hello.txt' },
    'failure-bash': { command: 'rm -rf build && false' },
  };
  expect(event && intentOf(event)).toEqual(about[name] ?? {});
});

test('the events of an agent that starts a sub-agent and is kept at its end are answered like the others', async () => {
  const workspace = storeStory(story());
  const { fire } = hooks(workspace);
  dropSignal(workspace, '0001', { type: 'INFO', target: 'Executor', message: 'Port 8080.' });
  expect(await fire('pre-agent')).toEqual({});
  expect(JSON.stringify(await fire('post-agent'))).toContain('INFO: Port 8080.');
  expect(await fire('stop')).toMatchObject({
    blocks: expect.stringContaining('ready work for the Executor: one.'),
  });
  expect(await fire('stop-again')).toEqual({});
  dropSignal(workspace, '0002', { type: 'PAUSE', target: 'ALL', from: 'kim' });
  expect(await fire('pre-agent')).toEqual(denied('is paused (kim sent PAUSE)'));
});

test.each(['', '{}', '[]', 'null', '{"session_id": "a", "cwd": "relative"}'])('%j is no event', (text) => {
  expect(readEvent(text)).toBeNull();
});
