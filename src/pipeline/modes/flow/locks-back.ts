import type { Part } from '../../step.ts';

/** Gives every lock of a flow back before it ends aborted. A tracker that refuses does not keep it from ending: the next session finds dead locks. */
export const locksBack: Part = ({ flow }) => {
  if (flow === null || flow.refusal !== null) return null;
  if (flow.step !== null) return 'wait';
  const held = [...flow.works].find(([, { locked }]) => locked);
  return held === undefined
    ? null
    : { type: 'flow.step-started', step: { kind: 'give-back', task: held[0] } };
};
