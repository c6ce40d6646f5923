import { checkpoints as table } from '../../../signals/checkpoints.ts';
import type { Topic } from './topic.ts';

/** When every agent reads the mailbox, and what it does with each type it finds there. */
export const checkpoints: Topic = {
  name: 'checkpoints',
  summary: 'when each agent reads the mailbox, and its reaction to each signal',
  sections: () => [
    {
      kind: 'text',
      text: 'An agent reads the mailbox at these places in its work; `Orchestrator` is the program itself. `context`: the message joins what the agent knows. `tree`: the agent restarts its step, adjusts it, or hands the task back to the Planner. `re-evaluate`: the Reviewer checks its verdict again. `guide`: the message is kept for later agents. `leave`: it stays in the mailbox for another reader. `skip-commit`: the work ends without its commit.',
    },
    {
      kind: 'table',
      rows: [
        ['checkpoint', 'when', 'INFO', 'STEER', 'PAUSE', 'DRAIN', 'ABORT'],
        ...table.map(({ id, mode, where, reactions }) => [
          `\`${id}\``,
          mode === '' ? where : `${mode}: ${where}`,
          reactions.INFO,
          reactions.STEER,
          reactions.PAUSE,
          reactions.DRAIN,
          reactions.ABORT,
        ]),
      ],
    },
  ],
};
