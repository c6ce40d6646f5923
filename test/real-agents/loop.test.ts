import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Lane } from '../helpers/model-server/script.ts';
import type { RealAgent } from './agents/real-agent.ts';
import { createProgramWorld, realEntry } from './program-world.ts';
import { answer, replies } from './story.ts';
import { installedAgents, modelServer } from './world.ts';

const turnHeading = '# Executor: one turn of a loop';

const done = (summary: readonly string[], more: object = {}) =>
  answer({ status: 'completed', summary, files_modified: [], criteria: [], ...more });

/** A loop over a focus file with one box; the lanes are its turns. */
const begin = async (agent: RealAgent, lanes: (workspace: string) => readonly Lane[]) => {
  const world = createProgramWorld();
  writeFileSync(join(world.workspace, 'focus.md'), '- [ ] one box\n');
  const model = await modelServer(...lanes(world.workspace));
  world.configure({ agents: { [agent.name]: realEntry(agent, world.home, model.url) } });
  const chosen = ['--focus', 'focus.md', '--agent', agent.name, '--permissions', 'workspace'];
  return { world, model, program: world.start('run', '--mode', 'loop', ...chosen, '--headless') };
};

describe.each(installedAgents())('$name', (agent) => {
  const hand = agent.hand;

  test('works through a focus file in a loop, a STEER in its turn included', async () => {
    const { world, model, program } = await begin(agent, (workspace) => [
      {
        name: 'steered',
        when: [turnHeading, 'Read focus.md.', 'Tick it at once'],
        steps: [
          ...replies(hand.edit(workspace, 'focus.md', '- [ ] one box', '- [x] one box')),
          {
            reply: [
              done(['Ticked the box.', '<promise>COMPLETE</promise>'], {
                steers: [{ id: 'the order', verdict: 'adjust', evidence: 'the box was open' }],
              }),
            ],
          },
        ],
      },
      {
        name: 'turn',
        when: [turnHeading, 'Read focus.md.'],
        steps: [
          { reply: [hand.shell('touch turn.runs; while [ ! -e turn.go ]; do sleep 0.1; done')] },
          // Gemini CLI reads the order only with its next prompt.
          { reply: [done(['Waited.'])] },
        ],
      },
    ]);
    await expect.poll(() => existsSync(join(world.workspace, 'turn.runs'))).toBe(true);
    expect((await world.start('signal', 'STEER', 'Tick it at once').done).code).toBe(0);
    await program.waitFor(/STEER "Tick it at once" (?:reaches|waits|will) /);
    writeFileSync(join(world.workspace, 'turn.go'), '');
    const { code, stdout, stderr } = await program.done;
    expect({ code, problems: model.problems }, `${stdout}\n${stderr}`).toEqual({ code: 0, problems: [] });
    expect(stdout).toContain('turn 1: complete: the agent promised it');
    expect(readFileSync(join(world.workspace, 'focus.md'), 'utf8')).toBe('- [x] one box\n');
    expect(world.events()).toContainEqual(
      expect.objectContaining({ type: 'steer.decided', verdict: 'adjust' }),
    );
  });
});

test.each(installedAgents().slice(-1))('$name that repeats itself ends the loop', async (agent) => {
  const { world, model, program } = await begin(agent, () => [
    {
      name: 'turn',
      when: [turnHeading],
      steps: [
        { reply: [done(['Looked at it; nothing to do in 17 s.'])] },
        { reply: [done(['Looked at it; nothing to do in 4 s.'])] },
      ],
    },
  ]);
  const { code, stdout, stderr } = await program.done;
  expect({ code, problems: model.problems, left: model.left() }, `${stdout}\n${stderr}`).toEqual({
    code: 1,
    problems: [],
    left: [],
  });
  expect(stdout).toContain(
    'turn 2: loop detected: turn 2 repeated what turn 1 said, and no file changed in between',
  );
  expect(world.agents()).toEqual([]);
});
