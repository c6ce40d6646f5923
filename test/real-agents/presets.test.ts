import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Preset } from '../../src/agents/permissions.ts';
import type { Part } from '../helpers/model-server/script.ts';
import type { Hand, RealAgent } from './agents/real-agent.ts';
import { decideFor } from './decided-agent.ts';
import { installedAgents } from './world.ts';

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
  'read inside': presets,
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
  'a command that only reads': {
    parts: ({ hand }) => [hand.shell('cat a.txt | head -n 1')],
    // Codex asks outside of its sandbox; Claude and Qwen know such commands themselves.
    asks: { ...all('read inside'), claude: null, qwen: null },
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

describe.each(installedAgents())('$name', (agent) => {
  test('every preset allows the kinds of requests that it promises, and no other', async () => {
    const { home, workspace, model, turn } = await decideFor(agent);
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
