import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProgramWorld, realEntry } from './program-world.ts';
import { installedAgents, modelServer } from './world.ts';

const document =
  '---\ndate: 2026-11-23\nstatus: complete\ntype: research\nauthor: ada\n---\n# How a works\n\n## Question\n\nHow?\n\n## Summary\n\nSo.\n\n## Findings\n\nIt is so.\n\n## Code References\n\n- src/a.ts:2\n\n## Open Questions\n\nNone.\n';
const ask = '```ask\n{"question": "Which part?", "options": ["reading", "writing"]}\n```';

describe.each(installedAgents())('$name', (agent) => {
  test('a skill talks with it, is left in the middle, continued, and keeps the document that it hands in', async () => {
    const world = createProgramWorld();
    mkdirSync(join(world.workspace, 'src'), { recursive: true });
    writeFileSync(join(world.workspace, 'src/a.ts'), 'one\ntwo\n');
    const model = await modelServer({
      name: 'skill',
      when: ['You work with a person on one thing'],
      steps: [
        { reply: [{ text: `I looked around.\n\n${ask}` }] },
        {
          expects: 'reading please',
          reply: [{ text: `Here it is.\n\n\`\`\`\`document\n${document}\`\`\`\`\n` }],
        },
      ],
    });
    world.configure({ agents: { [agent.name]: realEntry(agent, world.home, model.url) } });
    const args = ['skill', 'research-codebase', 'How does a work?', '--agent', agent.name, '--yes'];
    const first = world.converse(...args);
    await first.waitFor('2  writing', 120_000);
    first.type('q\n');
    expect((await first.done).code).toBe(3);
    const second = world.converse('skill', '--continue', '--yes');
    await second.waitFor('What do you say?', 120_000);
    second.type('reading please\n');
    await second.waitFor('1  keep the document', 120_000);
    second.type('1\n1\n');
    const { code, stdout, stderr } = await second.done;
    expect(code, stdout + stderr).toBe(0);
    expect(readdirSync(join(world.workspace, 'thoughts/shared/research'))).toHaveLength(1);
    expect(stdout).toMatch(/Tokens: [\d,]+ in, [\d,]+ out/);
    expect(model.problems).toEqual([]);
  });
});
