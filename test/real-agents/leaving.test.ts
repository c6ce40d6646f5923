import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openScreen, openTerminal } from '../helpers/terminal.ts';
import { createProgramWorld, realEntry } from './program-world.ts';
import { answer, doneOutcome, executorHeading, type StoryTask } from './story.ts';
import { installedAgents, modelServer } from './world.ts';

/** Three with `AGENTS=gemini,codex,claude`. */
const agents = installedAgents();
const times = 10;

/** Each agent leads a process group; what it starts for a moment comes and goes. */
const isLeader = (pid: number): boolean => {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[2]) === pid;
  } catch {
    return false;
  }
};

test.skipIf(agents.length === 0)(
  `agents in the middle of their turns notice nothing of a closed window, nor of ${times} times coming back and leaving`,
  async () => {
    const world = createProgramWorld();
    const tasks = agents.map((agent): StoryTask & { agent: string } => ({
      id: agent.name,
      file: `${agent.name}.txt`,
      line: agent.name,
      agent: agent.name,
    }));
    const model = await modelServer(
      ...agents.map((agent, index) => {
        const task = tasks[index];
        if (task === undefined) throw new Error('each agent has a task');
        return {
          name: agent.name,
          when: executorHeading(task),
          steps: [
            {
              reply: [
                { text: 'Half of it. ' },
                { hold: 'go' },
                agent.hand.create(world.workspace, task.file, task.line),
              ],
            },
            { reply: [answer(doneOutcome(task))] },
          ],
        };
      }),
    );
    world.configure({
      agents: Object.fromEntries(
        agents.map((agent) => [agent.name, realEntry(agent, world.home, model.url)]),
      ),
      roles: { librarian: 'script' },
      gates: [],
      on_disconnect: 'background',
    });
    writeFileSync(
      join(world.workspace, 'plan.yaml'),
      JSON.stringify({
        goal: 'Write files',
        settings: { planning: { max_cycles: 0 }, concurrency: { max_parallel_executors: agents.length } },
        tasks: tasks.map(({ id, file, agent }) => ({
          id,
          agent,
          title: `Write the ${id} file`,
          objective: `Write ${file}.`,
          files: [file],
          verify: [`test -e ${file}`],
        })),
      }),
    );
    const view = { cwd: world.workspace, columns: 120, rows: 36, env: world.environment };
    const terminal = openTerminal(
      ['run', '--plan', 'plan.yaml', '--permissions', 'workspace', '--yes'],
      view,
    );
    onTestFinished(() => terminal.kill('SIGKILL'));
    const host = terminal.pid;
    onTestFinished(() => {
      try {
        process.kill(host, 'SIGKILL');
      } catch {
        // It has ended, as it should.
      }
    });
    await Promise.all(agents.map(({ name }) => model.step(name, 0)));
    /** Whatever would show that something began anew. */
    const state = () => ({
      agents: world
        .agents()
        .map(({ pid }) => pid)
        .filter(isLeader),
      started: world
        .events()
        .filter(({ type }) => /^(?:session|invocation|task|command)\.started$/.test(type)),
      // A title that an agent asks for by itself comes when its start is done.
      requests: model.requests.filter(({ kind }) => kind !== 'side').length,
    });
    await expect.poll(() => state().agents).toHaveLength(agents.length);
    const before = state();
    terminal.close();
    await terminal.exit;
    for (let time = 0; time < times; time += 1) {
      const again = openScreen(['attach'], view);
      await again.waitFor('attached');
      again.press('q');
      await again.waitFor('▌Leave it running');
      again.press('enter');
      expect(await again.exit).toBe(0);
    }
    expect(before.agents).toHaveLength(agents.length);
    // What began anew would stay; a process that leads a group for a moment does not.
    await expect.poll(state).toEqual(before);
    model.release('go');
    const of = (wanted: string) => world.events().filter(({ type }) => type === wanted);
    await expect.poll(() => of('task.qualified')).toHaveLength(agents.length);
    expect(of('task.started').map(({ attempt }) => attempt)).toEqual(agents.map(() => 1));
    expect(model.problems).toEqual([]);
    for (const { file, line } of tasks) expect(world.read(file)).toBe(`${line}\n`);
  },
);
