import { expect, test } from 'vitest';
import { createWarmAgents } from '../../src/agents/backends/acp/warm/warm-agents.ts';
import { example } from '../../src/agents/profiles/example.ts';
import { createClock } from '../../src/base/clock.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { acpBackend } from '../helpers/acp-backend.ts';
import { createRealSession, markedProcesses } from '../helpers/real-session.ts';
import { repositoryWith } from '../helpers/repository.ts';
import type { Action } from '../helpers/scripted-agent/script.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const plan = `goal: Mend
tasks: [{id: one, title: One, files: [b.txt], criteria: [it is there], run: [], verify: ['test -e b.txt']}]
`;

const works: readonly Action[] = [
  { do: 'write', path: 'b.txt', text: 'b' },
  { do: 'say', text: JSON.stringify({ status: 'completed', summary: ['done'], files_modified: ['b.txt'] }) },
];
const reviews: readonly Action[] = [
  {
    do: 'say',
    text: JSON.stringify({
      verdict: 'Qualified',
      summary: ['read it'],
      criteria: [{ criterion: 'it is there', status: 'met', evidence: 'b.txt' }],
    }),
  },
];

const judges: readonly Action[] = [
  { do: 'say', text: JSON.stringify({ assessment: 'It is there.', goals_achieved: true, gaps: [] }) },
];

/** A session whose Executor and Reviewer are two agents. */
const begin = async (work: readonly Action[]) => {
  const warm = createWarmAgents({ spawn: createSpawn(), clock: createClock() });
  const agentOf = (name: string, ...replies: readonly (readonly Action[])[]) => {
    const agent = createScriptedAgent(tempDir(), { turns: replies.map((actions) => ({ actions })) });
    const profile = { ...example, name, command: [agent.command, ...agent.args], manySessions: true };
    return { agent, backend: acpBackend(profile, process.env, warm) };
  };
  const worker = agentOf('worker', work);
  const reader = agentOf('reader', reviews, judges);
  const session = createRealSession(repositoryWith({ 'a.txt': 'a' }), plan, {
    backends: [worker.backend, reader.backend],
    settings: {
      roles: { executor: 'worker', reviewer: 'reader', librarian: 'script' },
      planning: { max_cycles: 0 },
      permissions: 'all',
      effort: 'full',
      retries: { max_attempts: 1, backoff: [0] },
    },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  const asked = () => reader.agent.log().flatMap(({ what, method }) => (what === 'request' ? [method] : []));
  return { session, engine, reader: reader.agent, asked };
};

test('the agent of the review starts and opens its session while the task is worked on, and reviews in it', async () => {
  const { session, engine, reader } = await begin(works);
  expect(await engine.settled()).toMatchObject({ status: 'completed' });
  const [ahead] = session.all('agent.launched').filter((event) => event.ahead);
  expect(ahead).toMatchObject({ invocation: expect.stringMatching(/^Executor/u), task: 'one' });
  const [review] = session
    .all('agent.launched')
    .filter(({ invocation, ahead: is }) => !is && invocation.startsWith('Reviewer'));
  expect(review?.marker).toBe(ahead?.marker);
  const requests = reader.log().flatMap(({ what, method }) => (what === 'request' ? [method] : []));
  expect(requests.slice(0, 3)).toEqual(['initialize', 'session/new', 'session/prompt']);
  expect(reader.log().filter(({ what }) => what === 'started')).toHaveLength(1);
  expect(markedProcesses(session.paths.directory)).toEqual([]);
});

test.each(['ABORT', 'quit'] as const)(
  '%s ends an agent that was started ahead with the one that works',
  async (how) => {
    const { session, engine, asked } = await begin([{ do: 'hang' }]);
    await expect.poll(asked).toEqual(['initialize', 'session/new']);
    await expect.poll(() => markedProcesses(session.paths.directory)).toHaveLength(2);
    const running = markedProcesses(session.paths.directory);
    if (how === 'ABORT') session.publish({ type: 'ABORT' });
    else await engine.quit('quit');
    expect(await engine.settled()).toMatchObject({ unverified: [] });
    expect(markedProcesses(session.paths.directory)).toEqual([]);
    expect(session.all('processes.stopped').flatMap(({ stopped }) => stopped)).toEqual(
      expect.arrayContaining([...running]),
    );
    expect(asked()).toEqual(['initialize', 'session/new']);
  },
);
