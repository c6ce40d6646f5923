import { expect, test } from 'vitest';
import type { Part } from '../helpers/model-server/script.ts';
import type { ScriptTurn } from '../helpers/scripted-agent/script.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { codex } from './agents/codex.ts';
import { gemini } from './agents/gemini.ts';
import { createProgramWorld, realEntry, scriptedEntry } from './program-world.ts';
import { closingLanes, executorLane, plannerLanes, reviewerLane, threeTasks } from './story.ts';
import { allInstalled, modelServer } from './world.ts';

const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => ('text' in part ? part.text : '')).join('');

test.skipIf(!allInstalled(gemini, codex))(
  'planner, executor and reviewer are three different agents',
  async () => {
    const world = createProgramWorld();
    const [only] = threeTasks;
    if (!only) throw new Error('the story has tasks');
    const planner = createScriptedAgent(world.home, {
      turns: [...plannerLanes([only]), ...closingLanes].flatMap(({ when, steps }) =>
        steps.map(
          (step): ScriptTurn => ({
            when: when[0] ?? '',
            actions: [{ do: 'say', text: 'reply' in step ? textOf(step.reply) : '' }],
          }),
        ),
      ),
    });
    const model = await modelServer(
      executorLane(only, codex.hand, world.workspace),
      reviewerLane(only, gemini.hand),
      ...closingLanes.filter(({ name }) => name === 'session reviewer'),
    );
    world.configure({
      agents: {
        scripted: scriptedEntry(planner),
        gemini: realEntry(gemini, world.home, model.url),
        codex: realEntry(codex, world.home, model.url),
      },
      roles: {
        planner: 'scripted',
        questioner: 'scripted',
        librarian: 'scripted',
        executor: 'codex',
        reviewer: 'gemini',
      },
    });
    const run = ['run', 'Write a file', '--permissions', 'workspace', '--headless'];
    const { code, stdout, stderr } = await world.start(...run).done;
    expect(code, stdout + stderr).toBe(0);
    expect(model.problems).toEqual([]);
    expect(
      model.requests.filter(({ kind }) => kind === 'step').map(({ lane, dialect }) => `${lane}: ${dialect}`),
    ).toEqual([
      ...Array.from({ length: 3 }, () => 'executor left: responses'),
      ...Array.from({ length: 2 }, () => 'reviewer left: gemini'),
      'session reviewer: gemini',
    ]);
    expect(world.read('left.txt')).toBe('left\n');
  },
);
