import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAcpBackend } from '../../src/agents/backends/acp/create-acp-backend.ts';
import type { AgentProfile } from '../../src/agents/backends/acp/profile.ts';
import { decidePermission, type PermissionAsk, type Preset } from '../../src/agents/permissions.ts';
import { createClock } from '../../src/base/clock.io.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import { createToolServer } from '../../src/mcp/create-tool-server.io.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import type { Part } from '../helpers/model-server/script.ts';
import { briefOf, go, taskOf } from '../helpers/role-port.ts';
import type { Hand, RealAgent } from './agents/real-agent.ts';
import { profileOf, startOf } from './agents.ts';
import { answer, replies } from './story.ts';
import { installedAgents, makeHome, makeWorkspace, modelServer } from './world.ts';

const presets: readonly Preset[] = ['ask', 'edits', 'workspace', 'all'];

/** Where a turn works: its mark names files of its own. */
interface Place {
  readonly hand: Hand;
  readonly home: string;
  readonly workspace: string;
  readonly mark: string;
}

/** What is allowed unasked, by how the request is described to the one who decides; all else is asked, and refused where nobody is there. */
const allowedBy: Readonly<Record<string, readonly Preset[]>> = {
  'edit inside': ['edits', 'workspace', 'all'],
  'edit outside': ['all'],
  'command inside': ['workspace', 'all'],
  'network outside': ['all'],
  'other outside': ['all'],
  ours: presets,
};

interface Request {
  /** What the model calls. */
  readonly parts: (place: Place) => readonly Part[];
  /** The file that is there when it was carried out. */
  readonly effect?: (place: Place) => string;
  /** How it is described to the one who decides; with ` > ` the agent asks once more when it may. `null`: the agent does not ask for it. */
  readonly asks: Readonly<Record<RealAgent['name'], string | null>>;
  /** Agents that do not do it under any preset. */
  readonly never?: readonly RealAgent['name'][];
}

const all = (words: string | null): Request['asks'] => ({
  gemini: words,
  codex: words,
  claude: words,
  opencode: words,
  qwen: words,
});
const none = all(null);

const requests: Readonly<Record<string, Request>> = {
  'reading a file': {
    parts: ({ hand, workspace, mark }) => [hand.read(workspace, 'a.txt', mark)],
    asks: none,
  },
  'an edit inside the workspace': {
    parts: ({ hand, workspace, mark }) => [hand.create(workspace, `${mark}.txt`, 'x')],
    effect: ({ workspace, mark }) => join(workspace, `${mark}.txt`),
    asks: all('edit inside'),
  },
  'an edit outside of it': {
    parts: ({ hand, home, mark }) => [hand.create(home, join(home, `${mark}.txt`), 'x')],
    effect: ({ home, mark }) => join(home, `${mark}.txt`),
    // Gemini CLI refuses it by itself, also under `all`.
    asks: { ...all('edit outside'), gemini: null, opencode: 'other outside > edit outside' },
    never: ['gemini'],
  },
  'a command': {
    parts: ({ hand, mark }) => [hand.shell(`touch ${mark}.ran`)],
    effect: ({ workspace, mark }) => join(workspace, `${mark}.ran`),
    asks: all('command inside'),
  },
  'the network': {
    parts: ({ hand, mark }) => [hand.fetch(`http://127.0.0.1:9/${mark}`)],
    // Codex has no tool for it: what a command does in the network nobody is told.
    asks: { ...all('network outside'), codex: 'command inside' },
  },
  'a tool of ours': {
    parts: ({ hand, mark }) => [...hand.ours('task_update', { status: 'in_progress', note: mark })],
    // It changes nothing outside of the session, and says so: Codex does not even ask.
    asks: { ...all('ours'), codex: null, opencode: null },
  },
};

const wordsOf = ({ kind, inside, ours }: PermissionAsk): string =>
  ours ? 'ours' : `${kind} ${inside ? 'inside' : 'outside'}`;

/** The real agent with our backend, without an engine: this test decides for it. */
const begin = async (agent: RealAgent) => {
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
      return { asked, notes };
    },
  };
};

describe.each(installedAgents())('$name', (agent) => {
  test('every preset allows the kinds of requests that it promises, and no other', {
    timeout: 120_000,
  }, async () => {
    const { home, workspace, model, turn } = await begin(agent);
    const hand = agent.hand;
    const rows: unknown[] = [];
    const wanted: unknown[] = [];
    for (const preset of presets)
      for (const [index, [title, { parts, effect, asks, never = [] }]] of Object.entries(
        requests,
      ).entries()) {
        const mark = `${preset}-${index}`;
        const place = { hand, home, workspace, mark };
        const described = asks[agent.name];
        const questions = described?.split(' > ') ?? [];
        const refused = questions.findIndex((words) => allowedBy[words]?.includes(preset) !== true);
        const allowed = refused < 0;
        const goesOn = allowed || !agent.endsAtRejection;
        const { asked, notes } = await turn(preset, mark, parts(place), goesOn);
        const file = effect?.(place);
        rows.push({
          preset,
          title,
          asked,
          ...(file === undefined ? {} : { done: existsSync(file) }),
          notes: notes.length,
        });
        wanted.push({
          preset,
          title,
          asked: allowed ? questions : questions.slice(0, refused + 1),
          ...(file === undefined ? {} : { done: allowed && !never.includes(agent.name) }),
          notes: title === 'a tool of ours' ? 1 : 0,
        });
      }
    expect(rows).toEqual(wanted);
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('one\n');
    expect({ problems: model.problems, left: model.left() }).toEqual({ problems: [], left: [] });
  });
});
