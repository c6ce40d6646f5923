import { expect, test } from 'vitest';
import { noTerminalPort, type TerminalPort } from '../../components/ports/terminal-port.ts';
import { openScreen } from '../helpers/screen.tsx';
import { createStory, task } from '../helpers/story.ts';

/** A session that stopped because Gemini CLI is not logged in, as its own screen shows it. */
const openStopped = async (run: TerminalPort['run'], where = 'gemini') => {
  const invocation = 'Executor-2'; // The Planner came first.
  const story = createStory()
    .begin()
    .tasks([task('english')])
    .wave(1, ['english'])
    .starts('english')
    .add({
      type: 'invocation.failed',
      invocation,
      kind: 'call',
      fault: {
        code: 'agent-login',
        what: 'Gemini CLI is not logged in',
        where,
        hint: 'run `gemini` in a terminal, then try again',
      },
    })
    .add({
      type: 'session.stopped',
      session_id: '260215-101500',
      status: 'blocked',
      reason: 'Executor IMPLEMENT: Gemini CLI is not logged in',
      exit_code: 1,
    });
  const screen = await openScreen({
    columns: 100,
    rows: 30,
    story,
    connection: 'stopped',
    terminal: { ...noTerminalPort, run },
  });
  screen.store.act({ type: 'connected', connection: 'stopped', canLeaveRunning: true, resumable: true });
  await screen.press('E');
  return screen;
};

test('the end screen offers the login of the agent that stopped the session, runs it with the screen suspended, and resumes', async () => {
  const ran: string[] = [];
  const screen = await openStopped(async (command) => void ran.push(command));
  expect(screen.frame()).toContain('L logs in to Gemini CLI with `gemini` and continues');
  await screen.press('L');
  expect(screen.frame()).toContain('Log in to Gemini CLI?');
  expect(ran).toEqual([]);
  await screen.press('enter');
  expect(ran).toEqual(['gemini']);
  expect(screen.intents).toEqual([{ type: 'resume' }]);
  screen.unmount();
});

test('a login that fails says so and resumes nothing', async () => {
  const screen = await openStopped(() => Promise.reject(new Error('Ended with exit 1: gemini')));
  await screen.press('L', 'enter');
  expect(screen.frame()).toContain('Ended with exit 1: gemini');
  expect(screen.intents).toEqual([]);
  screen.unmount();
});

test('an agent whose login command is not known has no such offer', async () => {
  const screen = await openStopped(async () => {}, 'example');
  expect(screen.frame()).not.toContain('logs in');
  await screen.press('L');
  expect(screen.frame()).toContain('No agent is waiting for a login');
  screen.unmount();
});
