import { type CommandsStep, commandsStep } from '../../changes/model-commands.ts';
import { attemptOf, backendOf } from '../../invoke.ts';
import type { SessionState, TaskState } from '../../state.ts';

/** The step before the `script` backend runs the commands of a task that a model may have written. An agent with a model asks for itself. */
export const runStep = (state: SessionState, task: TaskState): CommandsStep => {
  const { run, on_steer } = task.definition;
  const commands = [...run, ...(on_steer ?? [])];
  if (commands.length === 0 || backendOf(state, 'Executor', task) !== 'script') return null;
  const attempt = attemptOf(state, 'IMPLEMENT', task);
  return commandsStep(state, task, { purpose: 'run', commands, attempt });
};
