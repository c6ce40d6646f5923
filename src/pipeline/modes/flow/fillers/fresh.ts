import type { SlotFiller } from './filler.ts';

/** Hero: a fresh agent for each task, in the order of the list. */
export const fresh: SlotFiller = {
  fill: (_state, _flow, _list, [first]) =>
    first === undefined ? null : { type: 'task.claimed', task: first.listed.id, worker: null },
  end: () => null,
};
