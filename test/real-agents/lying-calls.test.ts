import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Part } from '../helpers/model-server/script.ts';
import { decideFor } from './decided-agent.ts';
import { installedAgents } from './world.ts';

const withId = (part: Part, id: string): Part => ('arguments' in part ? { ...part, id } : part);

const withArguments = (part: Part, more: Readonly<Record<string, unknown>>): Part =>
  'arguments' in part ? { ...part, arguments: { ...part.arguments, ...more } } : part;

/** It refuses a call with an argument that its tool does not have, so it asks for none. */
const refusesUnknown: readonly string[] = ['claude'];

/** The model's words reach the agent as its own: what is asked for is judged whatever ids and arguments it uses. */
test.each(installedAgents())(
  '$name gets no permission by an id that was used before, nor by the arguments of our tools',
  async (agent) => {
    const { workspace, model, turn } = await decideFor(agent);
    const { hand, endsAtRejection } = agent;
    const tries: readonly (readonly [string, readonly Part[]])[] = [
      [
        'reused',
        [
          withId(hand.read(workspace, 'a.txt', 'again'), 'call_0'),
          withId(hand.shell('touch reused'), 'call_0'),
        ],
      ],
      ['claimed', [withArguments(hand.shell('touch claimed'), { server: 'ralph', tool: 'task_update' })]],
      [
        'both',
        [
          withId(hand.read(workspace, 'a.txt', 'first'), 'call_9'),
          withId(
            withArguments(hand.shell('touch both'), { server: 'ralph', tool: 'task_update', arguments: {} }),
            'call_9',
          ),
        ],
      ],
    ];
    for (const [mark, parts] of tries) {
      const isUnknown = mark !== 'reused' && refusesUnknown.includes(agent.name);
      const refused = await turn('ask', `ask-${mark}`, parts, isUnknown || !endsAtRejection);
      expect({ mark, asked: refused.asked, done: existsSync(join(workspace, mark)) }).toEqual({
        mark,
        asked: isUnknown ? [] : ['command inside'],
        done: false,
      });
      expect(refused.shown).toEqual(isUnknown ? [] : [`touch ${mark}`]);
    }
    for (const [mark, parts] of refusesUnknown.includes(agent.name) ? [] : tries.slice(1)) {
      const allowed = await turn('workspace', `workspace-${mark}`, parts, true);
      expect({ mark, asked: allowed.asked, done: existsSync(join(workspace, mark)) }).toEqual({
        mark,
        asked: ['command inside'],
        done: true,
      });
    }
    expect(model.problems).toEqual([]);
  },
);
