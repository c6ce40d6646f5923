import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanEnvironment, startProgram } from '../helpers/program.ts';
import { taskOf } from '../helpers/role-port.ts';
import { runInside } from '../helpers/run-inside.ts';
import { dropSignal, storedId, storeStory } from '../helpers/stored-story.ts';
import { createStory } from '../helpers/story.ts';
import { workspaceWith } from '../helpers/workspace.ts';

/** As Claude Code starts it. */
const runApart = (event: string, input: string, cwd: string) => {
  const program = startProgram(['hook', event], { cwd, input });
  program.endInput();
  return program.done;
};

const run = (event: string, input: string, cwd: string) =>
  runInside(['hook', event], { cwd, env: cleanEnvironment(), input });

const written = (name: string, workspace: string): string =>
  readFileSync(join(import.meta.dirname, `../fixtures/claude-hooks/${name}.json`), 'utf8').replaceAll(
    '/home/kim/greeter',
    workspace,
  );

test('a hook answers as Claude Code reads it: JSON and exit 0, or exit 2 with one line', async () => {
  const workspace = storeStory(
    createStory()
      .begin('Ship it')
      .tasks([taskOf({ id: 'one' })]),
  );
  expect(await runApart('Stop', written('stop', workspace), workspace)).toEqual({
    code: 2,
    stdout: '',
    stderr: `Session ${storedId} has ready work for the Executor: one.\n`,
  });
  dropSignal(workspace, '0001', { type: 'PAUSE', target: 'ALL' });
  const { code, stdout, stderr } = await run('PreToolUse', written('pre-bash', workspace), workspace);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
});

test('what an agent may know is one line on stdout, and lets it through', async () => {
  const workspace = workspaceWith({ '.ralph/issues/1.md': '---\ntitle: One\nstate: backlog\n---\n' });
  expect(await run('SessionStart', written('session-start', workspace), workspace)).toEqual({
    code: 0,
    stdout: 'native has 1 processable issue.\n',
    stderr: '',
  });
});

test('nothing to do is silent, and what is no event blocks nothing', async () => {
  const workspace = workspaceWith({});
  const silent = { code: 0, stdout: '', stderr: '' };
  expect(await run('PreToolUse', written('pre-bash', workspace), workspace)).toEqual(silent);
  expect(await run('SessionStart', written('session-start', workspace), workspace)).toEqual(silent);
  expect(await run('SessionEnd', '{}', workspace)).toEqual(silent);
  expect(await run('Stop', 'no event', workspace)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'ralph-tui: stdin contains no Stop event from Claude Code; nothing was done\n',
  });
});

test('each event that Claude Code sends and we do not answer is let through in silence, in a held session too', async () => {
  const workspace = storeStory(
    createStory()
      .begin('Ship it')
      .tasks([taskOf({ id: 'one' })]),
  );
  dropSignal(workspace, '0001', { type: 'PAUSE', target: 'ALL' });
  const events = { SessionEnd: 'session-end', UserPromptSubmit: 'user-prompt-submit' };
  for (const [event, name] of Object.entries(events))
    expect(await run(event, written(name, workspace), workspace)).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
});
