import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { createWarmAgents } from '../../src/agents/backends/acp/warm/warm-agents.ts';
import { markerOf } from '../../src/agents/marker.ts';
import { example } from '../../src/agents/profiles/example.ts';
import { createClock } from '../../src/base/clock.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { acpBackend } from '../helpers/acp-backend.ts';
import { createRealSession, markedProcesses } from '../helpers/real-session.ts';
import { repositoryWith } from '../helpers/repository.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const plan = `goal: Mend
tasks: [{id: one, title: One, files: [b.txt], criteria: [it is there], run: [], verify: ['test -e b.txt']}]
`;

/** A session whose agent writes a file in its first reply, and hangs in the second one of the same process. */
const begin = async () => {
  const agent = createScriptedAgent(tempDir(), {
    turns: [
      {
        actions: [
          { do: 'write', path: 'b.txt', text: 'b' },
          {
            do: 'say',
            text: JSON.stringify({ status: 'completed', summary: ['done'], files_modified: ['b.txt'] }),
          },
        ],
      },
      { actions: [{ do: 'hang' }] },
    ],
  });
  const profile = { ...example, command: [agent.command, ...agent.args], manySessions: true };
  const warm = createWarmAgents({ spawn: createSpawn(), clock: createClock() });
  const session = createRealSession(repositoryWith({ 'a.txt': 'a' }), plan, {
    backends: [acpBackend(profile, process.env, warm)],
    settings: {
      roles: { executor: 'example', reviewer: 'example' },
      planning: { max_cycles: 0 },
      permissions: 'all',
      retries: { max_attempts: 1, backoff: [0] },
    },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  // The Reviewer works in the process that the Executor has left.
  await agent.until('turn', ({ index }) => index === 1);
  const running = markedProcesses(session.paths.directory);
  expect(running).toHaveLength(1);
  const launched = session.all('agent.launched').map(({ marker }) => marker);
  expect(launched).toHaveLength(2);
  expect(launched[1]).toBe(launched[0]);
  return { session, engine, running, marker: launched[0] ?? '' };
};

test('an ABORT stops and reports the agent that reviews in the process of the work', async () => {
  const { session, engine, running } = await begin();
  session.publish({ type: 'ABORT' });
  expect(await engine.settled()).toMatchObject({ status: 'aborted', unverified: [] });
  expect(session.all('processes.stopped').flatMap(({ stopped }) => stopped)).toEqual(
    expect.arrayContaining([...running]),
  );
  expect(markedProcesses(session.paths.directory)).toEqual([]);
  // The sweep after the work took the agent for no leftover of it.
  expect(session.all('finding.noted').filter(({ text }) => text.includes('running when it ended'))).toEqual(
    [],
  );
});

test('a session that starts again stops an agent that waited for work when its program died', async () => {
  const { session, engine, marker } = await begin();
  await engine.quit('quit');
  expect(markedProcesses(session.paths.directory)).toEqual([]);
  expect(
    session
      .all('invocation.ended')
      .map(({ invocation }) => markerOf({ sessionDirectory: session.paths.directory, invocation })),
  ).toContain(marker);
  const waited = spawn('sleep', ['60'], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, RALPH_RUN: marker },
  });
  waited.unref();
  onTestFinished(() => void waited.kill('SIGKILL'));
  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(session.all('processes.stopped').at(-1)).toMatchObject({
    reason: 'recovery',
    stopped: [waited.pid],
  });
  await again.quit('quit');
});
