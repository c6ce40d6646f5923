import { checkpoints as table } from '../../../signals/checkpoints.ts';
import type { Topic } from './topic.ts';

/** When every agent reads the mailbox, and what it does with each type it finds there. */
export const checkpoints: Topic = {
  name: 'checkpoints',
  summary: 'when each agent reads the mailbox, and its reaction to each signal',
  sections: () => [
    {
      kind: 'text',
      text: '`context`: the message joins what the agent knows. `tree`: restart, adjust or escalate. `guide`: it is kept for later agents. `leave`: it stays where it is.',
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
