import { unknownAgent } from '../../../src/agents/profiles/profile.ts';
import { acpBackend } from '../../helpers/acp-backend.ts';
import { startBareClient } from '../../helpers/bare-client.ts';
import { cleanEnvironment } from '../../helpers/program.ts';
import { briefOf, go } from '../../helpers/role-port.ts';
import type { Action } from '../../helpers/scripted-agent/script.ts';
import { createScriptedAgent, type ScriptedAgent } from '../../helpers/scripted-agent/scripted-agent.ts';
import { inWorkspace } from '../live-session.ts';
import { median, type Row, sampleAsync, spreadOf } from '../measure.ts';

const chunks = 1_000;
const toolCalls = 100;
const turns = 12;

/** A turn as a busy agent has it: text in small pieces, tool calls between them, an answer at the end. */
const busyTurn: readonly Action[] = [
  ...Array.from({ length: chunks / toolCalls }, (): readonly Action[] => [
    ...Array.from({ length: toolCalls }, (): Action => ({ do: 'say', text: 'a few words of an answer, ' })),
    { do: 'flood-tools', calls: 10 },
  ]).flat(),
  { do: 'say', text: '{"status": "completed", "summary": ["done"]}' },
];

/** What our backend adds to a turn, beside the SDK's client that only counts. Process start is in neither. */
export const agentTurn = (): Promise<readonly Row[]> =>
  inWorkspace(async (workspace) => {
    const agent = createScriptedAgent(workspace, { turns: [{ actions: busyTurn, again: true }] });
    const ends: (() => Promise<unknown>)[] = [];
    const bare: number[] = [];
    const ours: number[] = [];
    try {
      const bareTurn = await startBare(agent, workspace, ends);
      const ourTurn = startOurs(agent, workspace, ends);
      // In turns, because a machine that others use is fast in one second and slow in the next.
      for (let turn = 0; turn < turns; turn += 1) {
        bare.push(...(await sampleAsync(1, bareTurn)));
        ours.push(...(await sampleAsync(1, ourTurn)));
      }
    } finally {
      for (const end of ends) await end();
    }
    const [base, value] = [median(bare), median(ours)];
    return [
      {
        name: `a turn of an agent with ${chunks} chunks and ${toolCalls} tool calls`,
        value,
        unit: 'ms',
        base: { name: 'bare SDK client', value: base },
        spread: spreadOf(ours),
        target: '≤ 1.5×',
        ok: value <= 1.5 * base,
      },
    ];
  });

type Ends = (() => Promise<unknown>)[];

const startBare = async (agent: ScriptedAgent, cwd: string, ends: Ends): Promise<() => Promise<unknown>> => {
  const client = startBareClient({ ...agent, cwd, env: cleanEnvironment() });
  ends.push(client.end);
  await client.initialize();
  const { sessionId } = await client.newSession();
  return () => client.prompt(sessionId, 'go');
};

const startOurs = (agent: ScriptedAgent, workspace: string, ends: Ends): (() => Promise<void>) => {
  const profile = { ...unknownAgent, name: 'busy', label: 'Busy', command: [agent.command, ...agent.args] };
  const brief = briefOf({ workspace, sessionDirectory: workspace });
  const worker = acpBackend(profile).start(brief, { emit: () => {}, output: () => {} });
  ends.push(async () => worker.end?.());
  return async () => {
    const result = await worker.turn({ kind: 'implement', prompt: 'go', messages: [] }, async () => go());
    if (result.kind !== 'answered') throw new Error(`the turn came to ${JSON.stringify(result)}`);
  };
};
