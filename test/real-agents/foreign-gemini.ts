import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startBareClient } from '../helpers/bare-client.ts';
import type { Lane, Part } from '../helpers/model-server/script.ts';
import { programFile } from '../helpers/program.ts';
import { gemini } from './agents/gemini.ts';
import { startOf } from './agents.ts';
import type { ProgramWorld } from './program-world.ts';
import { replies } from './story.ts';

const order = 'Take tasks of the builder until you are gone.';

/** What the model of such a worker does: one task after the other, and the last one it only takes. */
export const foreignLane = (tasks: readonly Readonly<Record<string, string>>[]): Lane => ({
  name: 'foreign',
  when: [order],
  steps: replies([...tasks.flatMap(workOn), ...gemini.hand.ours('task_claim', {}), { hold: 'never' }]),
});

/** Takes a task, writes its files where the answer says, and hands the result in. */
const workOn = (files: Readonly<Record<string, string>>): readonly Part[] => [
  ...gemini.hand.ours('task_claim', {}),
  gemini.hand.shell(
    Object.entries(files)
      .map(([file, line]) => `echo '${line}' > '{directory}/${file}'`)
      .join('; '),
  ),
  ...gemini.hand.ours('task_update', {
    status: 'completed',
    outcome: {
      status: 'completed',
      summary: ['Wrote it.'],
      files_modified: Object.keys(files),
      criteria: [],
    },
  }),
];

/** Gemini as a person starts it beside the session: with our program as its MCP server, it joins the team as a builder. */
export const startForeignGemini = async (
  { home, workspace, environment }: ProgramWorld,
  modelUrl: string,
) => {
  const own = join(home, 'foreign');
  mkdirSync(own, { recursive: true });
  const agent = startBareClient({ ...startOf(gemini, own, modelUrl), cwd: workspace });
  onTestFinished(async () => {
    await agent.end();
  });
  await agent.initialize();
  const { sessionId } = await agent.newSession([
    {
      name: 'ralph',
      command: process.execPath,
      args: [programFile, 'mcp', '--as', 'builder'],
      env: Object.entries(environment).map(([name, value]) => ({ name, value })),
    },
  ]);
  return {
    /** Its model works as `foreignLane` says. */
    work: (): void => {
      agent.prompt(sessionId, order).catch(() => undefined);
    },
    /** kill -9 of it and of its MCP server. */
    kill: agent.end,
  };
};
