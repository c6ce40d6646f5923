import { onTestFinished } from 'vitest';
import { createAcpBackend } from '../../src/agents/backends/acp/create-acp-backend.ts';
import { decidePermission, type PermissionAsk, type Preset } from '../../src/agents/permissions.ts';
import type { AgentProfile } from '../../src/agents/profiles/profile.ts';
import { createClock } from '../../src/base/clock.io.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import { createToolServer } from '../../src/mcp/create-tool-server.io.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import type { Part } from '../helpers/model-server/script.ts';
import { briefOf, go, taskOf } from '../helpers/role-port.ts';
import type { RealAgent } from './agents/real-agent.ts';
import { profileOf, startOf } from './agents.ts';
import { answer, replies } from './story.ts';
import { makeHome, makeWorkspace, modelServer } from './world.ts';

const wordsOf = ({ kind, inside, ours }: PermissionAsk): string =>
  ours ? 'ours' : `${kind} ${inside ? 'inside' : 'outside'}`;

/** The real agent with our backend, without an engine: a preset decides for it, and nobody is there to be asked. */
export const decideFor = async (agent: RealAgent) => {
  const home = makeHome();
  const workspace = makeWorkspace(home);
  const model = await modelServer();
  const { command, args, env } = startOf(agent, home, model.url);
  const known = profileOf(agent);
  const profile: AgentProfile = { ...known, command: [command, ...args], env: { ...known.env, ...env } };
  const clock = createClock();
  const tools = createToolServer({ clock, random: createRandom(), program: 'test' });
  onTestFinished(tools.close);
  const backend = createAcpBackend(
    { disk: createDisk(), spawn: createSpawn(), clock, env: {}, version: 'test', tools },
    profile,
  );
  let preset: Preset = 'ask';
  let asked: string[] = [];
  let shown: string[] = [];
  let notes: string[] = [];
  const role = 'Executor';
  const brief = briefOf({
    workspace,
    sessionDirectory: home,
    role,
    task: taskOf({}),
    attempt: 1,
    settings: defaultSettings,
  });
  const worker = backend.start(brief, {
    emit: () => {},
    output: () => {},
    permission: async (ask) => {
      asked.push(wordsOf(ask));
      shown.push(ask.command ?? ask.title);
      // Nobody is there to be asked.
      return decidePermission({ preset, role, ...ask }).decision === 'allow' ? 'allow' : 'refuse';
    },
    session: {
      tasks: () => [],
      report: () => null,
      note: ({ note }) => notes.push(note ?? ''),
      ask: () => ({ request: 'ask:1', answered: Promise.resolve(null) }),
      stage: () => ({ kind: 'refused', wrong: 'not here' }),
    },
  });
  onTestFinished(async () => worker.end?.());
  return {
    home,
    workspace,
    model,
    /** One turn under this preset, in which the model makes these calls. */
    turn: async (under: Preset, mark: string, parts: readonly Part[], goesOn: boolean) => {
      preset = under;
      asked = [];
      shown = [];
      notes = [];
      const done = { status: 'completed', summary: [mark], files_modified: [], criteria: [] };
      model.add({
        name: mark,
        when: [mark],
        steps: [...replies(parts), ...(goesOn ? [{ reply: [answer(done)] }] : [])],
      });
      const result = await worker.turn({ kind: 'implement', prompt: `Do ${mark}`, messages: [] }, async () =>
        go(),
      );
      if (result.kind === 'failed') throw new Error(result.fault.what);
      return { asked, shown, notes };
    },
  };
};
