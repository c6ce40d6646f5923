import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProgramWorld, realEntry } from './program-world.ts';
import { answer } from './story.ts';
import { hands, installedAgents, modelServer } from './world.ts';

const done = (...summary: readonly string[]) =>
  answer({ status: 'completed', summary, files_modified: ['focus.md'], criteria: [] });

test.each(installedAgents().slice(0, 1))('$name works through a focus file in a loop', async (agent) => {
  const world = createProgramWorld();
  const hand = hands[agent.name];
  writeFileSync(join(world.workspace, 'focus.md'), '- [ ] one box\n');
  const model = await modelServer({
    name: 'turn',
    when: ['# Executor: one turn of a loop', 'Read focus.md.'],
    steps: [
      { reply: [hand.edit(world.workspace, 'focus.md', '- [ ] one box', '- [x] one box')] },
      { reply: [done('Ticked the box.', '<promise>COMPLETE</promise>')] },
    ],
  });
  world.configure({ agents: { [agent.name]: realEntry(agent, world.home, model.url) } });
  const program = world.start(
    'run',
    '--mode',
    'loop',
    '--focus',
    'focus.md',
    '--agent',
    agent.name,
    '--permissions',
    'edits',
    '--headless',
  );
  const { code, stdout, stderr } = await program.done;
  expect({ code, problems: model.problems, left: model.left() }, `${stdout}\n${stderr}`).toEqual({
    code: 0,
    problems: [],
    left: [],
  });
  expect(stdout).toContain('turn 1: complete: the agent promised it');
  expect(readFileSync(join(world.workspace, 'focus.md'), 'utf8')).toBe('- [x] one box\n');
});
