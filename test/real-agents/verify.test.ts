import { describe, expect, test } from 'vitest';
import { createProgramWorld, realEntry } from './program-world.ts';
import { replies } from './story.ts';
import { installedAgents, modelServer } from './world.ts';

describe.each(installedAgents())('$name', (agent) => {
  test('doctor --verify tries it with one turn in which our tools arrive and a message is obeyed', async () => {
    const world = createProgramWorld();
    const model = await modelServer({
      name: 'verify',
      when: ['a connection test of ralph-tui'],
      steps: [
        ...replies(agent.hand.ours('check_signals', {})),
        // A second prompt comes after the result that was on its way.
        ...(agent.reachedBy === 'as a second prompt' ? [{ reply: [{ text: 'Checked.' }] }] : []),
        { expects: '7 times 9', reply: [{ text: '{"sum": 42, "product": 63}' }] },
      ],
    });
    world.configure({ agents: { [agent.name]: realEntry(agent, world.home, model.url) } });
    const { code, stdout, stderr } = await world.start('doctor', '--verify', agent.name, '--yes', '--json')
      .done;
    expect(code, stdout + stderr).toBe(0);
    const way = agent.reachedBy;
    expect(JSON.parse(stdout)).toMatchObject([
      { check: `${agent.name}: tried`, found: 'in a worktree of this repository' },
      { check: `${agent.name}: start`, ok: true },
      { check: `${agent.name}: login`, ok: true },
      { check: `${agent.name}: answer`, ok: true },
      { check: `${agent.name}: tools`, found: 'it called one of ours' },
      {
        check: `${agent.name}: messages`,
        found: `a message reached it ${way} while it worked, and it obeyed`,
      },
      {
        check: `${agent.name}: usage`,
        found: expect.stringMatching(agent.usage),
      },
    ]);
    expect(model.problems).toEqual([]);
    expect(world.agents()).toEqual([]);
  });
});
