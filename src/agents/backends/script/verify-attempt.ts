import type { ImplementAnswer } from '../../answers.ts';
import { type CommandResult, describeResult } from '../../command-result.ts';
import { runCommand } from './run-command.ts';
import { answered, type ScriptTurn } from './script-turn.ts';

/**
 * `verify-attempt`: runs the task's own `verify` commands for an agent that ended its turn without an outcome (src/agents/README.md, "end_turn is not success").
 * If there is at least one and all pass, the attempt is submitted for review. Otherwise it has no result.
 */
export const verifyAttempt: ScriptTurn = async (context, ask) => {
  const commands = context.brief.task?.verify ?? [];
  const done: CommandResult[] = [];
  for (const [index, command] of commands.entries()) {
    const why = context.stopped();
    if (why) return { kind: 'stopped', why };
    const call = { command, index, of: commands.length, purpose: 'verify', messages: ask.messages } as const;
    done.push(await runCommand(context, call));
    if (done.some(({ ok }) => !ok)) break;
  }
  const why = context.stopped();
  if (why) return { kind: 'stopped', why };
  if (commands.length === 0 || done.some(({ ok }) => !ok))
    return { kind: 'no-result', raw: done.map(describeResult).join('\n') };
  const answer: ImplementAnswer = {
    status: 'completed',
    summary: ['The agent reported no outcome; the commands that verify the task passed.'],
    files_modified: [],
    criteria: (context.brief.task?.criteria ?? []).map((criterion) => ({
      criterion,
      status: 'not checked',
      evidence: 'the agent did not say',
    })),
    verification: done.map(describeResult),
    feedback_addressed: [],
    discovered_tasks: [],
    blockers: [],
    steers: [],
  };
  return answered(answer);
};
