import { setImmediate } from 'node:timers/promises';
import { createAcpBackend } from '../../../src/agents/backends/acp/create-acp-backend.ts';
import { unknownAgent } from '../../../src/agents/profiles/profile.ts';
import { createClock } from '../../../src/base/clock.io.ts';
import { createDisk } from '../../../src/base/disk.io.ts';
import { createSpawn } from '../../../src/base/process/spawn.io.ts';
import { createInProcessAgents, type PromptHandler } from '../../helpers/in-process-agent.ts';
import { createLentTools } from '../../helpers/live-session.ts';
import { briefOf, taskOf } from '../../helpers/role-port.ts';
import { tempDir } from '../../helpers/temp-dir.ts';
import { backendConformance } from '../backend-conformance.ts';

const steps = 3;
const answers = {
  implement: { status: 'completed', summary: ['done'] },
  review: { verdict: 'Qualified', summary: ['fine'] },
};

backendConformance('acp', () => {
  const { tools, calls } = createLentTools();
  let done = 0;
  /** Works in steps, with one call of our tools after each, and stops when that says so. What is done stays done, as files would. */
  const work: PromptHandler = async ({ client, sessionId, say, cancelled }) => {
    const update = (content: object) =>
      client.notify('session/update', { sessionId, update: { toolCallId: `step-${done}`, ...content } });
    while (done < steps) {
      await update({ sessionUpdate: 'tool_call', title: 'A step', kind: 'execute', status: 'in_progress' });
      await update({ sessionUpdate: 'tool_call_update', status: 'completed' });
      done += 1;
      const directive = await calls().boundary();
      // A cancel that was sent meanwhile has come.
      await setImmediate();
      if (cancelled.aborted) return 'cancelled';
      if (directive.kind !== 'go') return 'end_turn';
      calls().reached(directive.messages);
      if (directive.messages.some(({ apply }) => apply === 'escalate')) break;
    }
    await say(JSON.stringify(calls().brief.role === 'Reviewer' ? answers.review : answers.implement));
    return 'end_turn';
  };
  const agents = createInProcessAgents(createSpawn(), work);
  const profile = { ...unknownAgent, name: 'in-process', label: 'In-process', command: ['in-process'] };
  const deps = { disk: createDisk(), spawn: agents.spawn, clock: createClock(), env: {}, version: 'test' };
  return {
    backend: createAcpBackend({ ...deps, tools }, profile),
    brief: briefOf({ workspace: tempDir(), sessionDirectory: tempDir(), task: taskOf(), attempt: 1 }),
    host: {
      session: {
        tasks: () => [],
        report: () => null,
        note: () => {},
        ask: () => ({ request: 'none', answered: Promise.resolve(null) }),
        stage: () => ({ kind: 'refused', wrong: 'not here' }),
      },
    },
    step: ['tool.started', 'tool.ended'],
    moreBoundaries: 1,
    settle: (promise) => promise,
    stepsDone: () => done,
  };
});
