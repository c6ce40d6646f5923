import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startItems } from '../../components/start/start-list.ts';
import { profiles } from '../../src/agents/profiles/index.ts';
import { offeredAgents, startOverlay } from '../../src/cli/screen/start-screen.ts';
import { findOffers } from '../../src/cli/session/find-offers.ts';
import { createWorld } from '../../src/cli/world.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { pathWith, workspaceWith } from '../helpers/workspace.ts';

const plan = (goal: string): string => `goal: ${goal}\ntasks: [{title: One, run: [echo one]}]\n`;

const listed = (files: Readonly<Record<string, string>>): readonly string[] =>
  findOffers(createWorld(), workspaceWith(files)).plans.map(({ file }) => file);

test('plans of the usual names come first, then others whose names tell and that have tasks', () => {
  expect(
    listed({
      'zoo.plan.yml': plan('Zoo'),
      'plan2.yaml': plan('Second'),
      'plan.yaml': plan('First'),
      '.ralph/plan.yaml': plan('Kept'),
      'plan-prices.yaml': 'basic: 10\n',
      'planets.yaml': plan('Not called a plan'),
      'plan.tf': plan('No YAML'),
      'sub/plan3.yaml': plan('Below'),
    }),
  ).toEqual(['plan.yaml', '.ralph/plan.yaml', 'plan2.yaml', 'zoo.plan.yml']);
});

test('a broken one says what is wrong, a name that could drive the terminal is left out, and there are never more than a screen holds', () => {
  const world = createWorld();
  const [broken] = findOffers(
    world,
    workspaceWith({ 'plan2.yaml': 'goal: 1\ntasks: [{title: One}]\n' }),
  ).plans;
  expect(broken?.problem).toContain('goal');
  expect(listed({ 'plan\u001b[2J.yaml': plan('Hostile') })).toEqual([]);
  const many = Array.from({ length: 40 }, (_, index) => [`plan-${index}.yaml`, plan(`Number ${index}`)]);
  expect(listed(Object.fromEntries(many)).length).toBe(6);
});

test('the start screen begins at what can be chosen: not at the goal, which no agent here takes', () => {
  const world = createWorld();
  const chosen = (files: Readonly<Record<string, string>>): string | undefined => {
    const { offers, cursor } = startOverlay({}, world, workspaceWith(files));
    return startItems({ offers })[cursor]?.kind;
  };
  expect(chosen({ 'plan.yaml': plan('First') })).toBe('plan');
  expect(chosen({ 'package.json': '{"scripts": {"test": "node --test"}}' })).toBe('checks');
  expect(chosen({})).toBe('demo');
});

describe('the agents of the start screen', () => {
  const offered = (config: string, path: string) => {
    const workspace = workspaceWith({ '.ralph/config.yaml': config });
    const cli = createTestCli({ env: { XDG_CONFIG_HOME: tempDir(), PATH: path } });
    return offeredAgents(cli, createWorld(), workspace);
  };

  test('those that can be used come first, the configured Planner before the rest; the others say why not', () => {
    const bin = pathWith('gemini', 'mine');
    const config = `agents:\n  mine: {type: acp, command: [mine]}\n  bad: {type: acp, comand: [x]}\nroles: {planner: mine}\n`;
    expect(offered(config, bin)).toEqual([
      { name: 'mine', about: `mine, login: not checked, in ${bin}/mine`, problem: null },
      { name: 'gemini', about: `Gemini CLI, login: not checked, in ${bin}/gemini`, problem: null },
      ...profiles.flatMap(({ name, label, install }) =>
        name === 'gemini' || install === null
          ? []
          : [
              {
                name,
                about: '',
                problem: `not installed: ${install.command} (about ${install.megabytes} MB)`,
                install: { label, ...install },
              },
            ],
      ),
      { name: 'bad', about: '', problem: expect.stringContaining('agents.bad: ') },
    ]);
  });

  test('the version of a runtime is not that of the agent that it runs', () => {
    const bin = pathWith('node', 'npx', 'mine');
    writeFileSync(join(bin, 'package.json'), '{"version": "24.21.0"}');
    const config = `agents:
  own: {type: acp, command: [mine, --acp]}
  runs: {type: acp, command: [node, agent.js]}
  file: {type: acp, command: [${bin}/node, agent.js]}
  package: {type: acp, command: [npx, an-agent]}
`;
    const about = offered(config, bin).flatMap((agent) => (agent.problem === null ? [agent.about] : []));
    expect(about.toSorted()).toEqual([
      `file, login: not checked, in ${bin}/node`,
      `own 24.21.0, login: not checked, in ${bin}/mine`,
      `package, login: not checked, in ${bin}/npx`,
      `runs, login: not checked, in ${bin}/node`,
    ]);
  });
});
