import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codex } from './agents/codex.ts';
import { createProgramWorld, realEntry } from './program-world.ts';
import { answer, doneOutcome, executorLane, plannerLanes, reviewerLane, type StoryTask } from './story.ts';
import { allInstalled, modelServer } from './world.ts';

const task: StoryTask = { id: 'left', file: 'left.txt', line: 'left' };

test.skipIf(!allInstalled(codex))(
  'an INFO that Codex took into a reply which RETRY ends is not handled with it: the next attempt gets it',
  async () => {
    const { name, hand } = codex;
    const world = createProgramWorld();
    const { workspace } = world;
    const at = (file: string): string => join(workspace, file);
    const plain = executorLane(task, hand, workspace);
    const model = await modelServer(
      ...plannerLanes([task]),
      {
        ...plain,
        steps: [
          { reply: [hand.shell('touch first.runs; while [ ! -e first.go ]; do sleep 0.1; done')] },
          { expects: 'short files', reply: [hand.shell(`echo ${task.line} > ${task.file}`)] },
          { reply: [answer(doneOutcome(task))] },
        ],
      },
      reviewerLane(task, hand),
    );
    world.configure({
      agents: { [name]: realEntry(codex, world.home, model.url) },
      planning: { max_cycles: 0 },
      isolation: 'shared',
      timeouts: { abort_grace: '1s' },
    });
    const run = ['run', 'Write a file', '--agent', name, '--permissions', 'workspace', '--headless'];
    const program = world.start(...run);
    await expect.poll(() => existsSync(at('first.runs'))).toBe(true);
    expect(
      (await world.start('signal', 'INFO', 'The person likes short files', '--task', task.id).done).code,
    ).toBe(0);
    await program.waitFor('message arrived');
    const handled = () =>
      world.events().filter(({ type, signal }) => type === 'signal.handled' && isInfo(signal));
    expect(handled()).toEqual([]);
    expect((await world.start('retry', task.id, 'Anew').done).code).toBe(0);
    await model.step(plain.name, 1);
    writeFileSync(at('first.go'), '');
    await expect.poll(() => handled().length).toBe(1);
    expect(handled()[0]?.['action_taken']).toMatch(/^added to the context/);
    expect(model.problems).toEqual([]);
    await world.start('signal', 'ABORT').done;
    await program.done;
  },
);

const isInfo = (signal: unknown): boolean =>
  typeof signal === 'object' && signal !== null && 'type' in signal && signal.type === 'INFO';
