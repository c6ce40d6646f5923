import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { BackendHost } from '../../../src/agents/port.ts';
import { example } from '../../../src/agents/profiles/example.ts';
import { acpBackend } from '../../helpers/acp-backend.ts';
import { briefOf, taskOf } from '../../helpers/role-port.ts';
import { misbehaviours } from '../../helpers/scripted-agent/misbehaviours.ts';
import type { AgentScript } from '../../helpers/scripted-agent/script.ts';
import { createScriptedAgent } from '../../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../../helpers/temp-dir.ts';
import { bench } from '../../helpers/worker-bench.ts';

const begin = (script: Omit<AgentScript, 'log'>, permission?: BackendHost['permission']) => {
  const agent = createScriptedAgent(tempDir(), script);
  const profile = { ...example, command: [agent.command, ...agent.args] };
  const brief = briefOf({ workspace: tempDir(), sessionDirectory: tempDir(), task: taskOf({}), attempt: 1 });
  return { agent, at: bench(acpBackend(profile), brief, [], permission ? { permission } : {}) };
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test.each([
  ['sends one message of 40 MB', /sent a message of more than 32 MB/],
  ['sends a message that never ends', /sent a message of more than 32 MB/],
  ['answers an unknown id with 120 kB of brackets', /sent a message nested more than 200 levels/],
] as const)('an agent that %s ends its turn, and another agent at work goes on', async (name, what) => {
  const good = `Done.\n${JSON.stringify({ status: 'completed', summary: ['It works.'] })}`;
  const release = `${tempDir()}/go`;
  const other = begin({
    turns: [
      {
        actions: [
          { do: 'say', text: 'working' },
          { do: 'until-file', path: release },
          { do: 'say', text: good },
        ],
      },
    ],
  });
  const work = other.at.turn('implement');
  await other.at.printed(6);
  const evil = begin(misbehaviours[name]);
  const result = await evil.at.turn('implement');
  expect(result).toMatchObject({ kind: 'failed', fault: { code: 'agent-message' } });
  expect(JSON.stringify(result)).toMatch(what);
  await evil.at.worker.end?.();
  expect(isAlive(evil.agent.log()[0]?.pid ?? 0)).toBe(false);
  writeFileSync(release, '');
  expect(await work).toMatchObject({ kind: 'answered', answer: { status: 'completed' } });
  await other.at.worker.end?.();
});

test('an agent that asks for 600 permissions at once gets 500 decided, and the rest are cancelled', async () => {
  let open = 0;
  let most = 0;
  const all = Promise.withResolvers<void>();
  const { agent, at } = begin(misbehaviours['asks 600 permissions at once'], async () => {
    open += 1;
    most = Math.max(most, open);
    await all.promise;
    open -= 1;
    return 'refuse';
  });
  const answered = (how: string): number =>
    agent.log().filter(({ what, kind }) => what === 'permission' && kind === how).length;
  const turn = at.turn('implement');
  await agent.until('permission', () => answered('cancelled') === 100);
  expect(most).toBe(500);
  all.resolve();
  await turn;
  await at.worker.end?.();
  expect([answered('reject_once'), answered('cancelled')]).toEqual([500, 100]);
});
