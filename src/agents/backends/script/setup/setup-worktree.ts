import { z } from 'zod';
import { describeResult } from '../../../command-result.ts';
import { runCommand } from '../run-command.ts';
import { answered, type ScriptTurn } from '../script-turn.ts';

/** `setup`: runs the commands of `worktree.setup` in a new worktree, one by one. The answer is the first failure in words, or `null`. */
export const setupWorktree: ScriptTurn = async (context, ask) => {
  const { commands } = setupDataSchema.parse(ask.data);
  for (const [index, cmd] of commands.entries()) {
    const call = { command: { cmd }, index, of: commands.length, purpose: 'setup', messages: [] } as const;
    const result = await runCommand(context, call);
    const why = context.stopped();
    if (why) return { kind: 'stopped', why };
    if (!result.ok) return answered(describeResult(result));
  }
  return answered(null);
};

const setupDataSchema = z.object({ commands: z.array(z.string()).readonly() });
