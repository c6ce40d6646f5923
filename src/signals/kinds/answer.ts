import type { SignalKind } from '../mailbox.ts';

/** Ours (src/signals/README.md, Types): the first answer wins. Never grants a permission: only the hosting screen does. */
export const answer: SignalKind = {
  type: 'ANSWER',
  category: 'session',
  description: 'Answer a question of an agent or a gate of the plan.',
  decides: ({ request = '' }, { isForPerson }) => isForPerson(request),
  check: (signal) => {
    if (signal.request === undefined) return 'ANSWER needs the `request` it answers';
    return signal.option === undefined && !signal.message?.trim()
      ? 'ANSWER needs an `option` or a message'
      : null;
  },
};
