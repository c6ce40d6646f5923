import { expect, test } from 'vitest';
import { gemini } from '../../../src/agents/profiles/gemini.ts';
import { acpBackend } from '../../helpers/acp-backend.ts';
import { briefOf, taskOf } from '../../helpers/role-port.ts';
import type { Action } from '../../helpers/scripted-agent/script.ts';
import { createScriptedAgent } from '../../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../../helpers/temp-dir.ts';
import { bench } from '../../helpers/worker-bench.ts';

const modes = { modes: { currentModeId: 'default', availableModes: [{ id: 'default' }, { id: 'yolo' }] } };
const changes: Action = {
  do: 'update',
  update: { sessionUpdate: 'current_mode_update', currentModeId: 'yolo' },
};
const good: Action = { do: 'say', text: JSON.stringify({ status: 'completed', summary: ['It works.'] }) };
const asks: Action = {
  do: 'permission',
  toolCall: { toolCallId: 'c1', title: 'Leave plan mode', kind: 'switch_mode', status: 'pending' },
};

/** A turn whose first reply has no result, so that a second prompt follows. */
const run = async (...first: readonly Action[]) => {
  const agent = createScriptedAgent(tempDir(), {
    newSession: modes,
    turns: [{ actions: [...first, { do: 'say', text: 'Not yet.' }] }, { actions: [good] }],
  });
  const profile = { ...gemini, command: [agent.command, ...agent.args] };
  const brief = briefOf({ workspace: tempDir(), sessionDirectory: tempDir(), task: taskOf({}), attempt: 1 });
  const at = bench(acpBackend(profile), brief, [], { permission: async () => 'allow' });
  expect(await at.turn('implement')).toMatchObject({ kind: 'answered' });
  await at.worker.end?.();
  const set = agent.log().filter(({ what, method }) => what === 'request' && method === 'session/set_mode');
  return { set, said: at.facts.flatMap((fact) => (fact.type === 'finding.noted' ? [fact.text] : [])) };
};

test('a mode that an agent takes by itself is put back before its next prompt, and said', async () => {
  const { set, said } = await run(changes);
  expect(set).toMatchObject([{ params: { modeId: 'default' } }]);
  expect(said).toEqual(['Gemini CLI changed its mode to "yolo" on its own: changed back to "default"']);
});

test('a change of mode that was allowed stays', async () => {
  const { set, said } = await run(asks, changes);
  expect({ set, said }).toEqual({ set: [], said: [] });
});
