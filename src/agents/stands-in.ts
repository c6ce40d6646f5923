import type { Brief } from './port.ts';

/**
 * Whether commands alone check the work in the place of a Reviewer with a model: before its review, after the merge, in a loop. Their environment holds
 * the messages, but nobody reads them there who was meant: those stay for the Reviewer.
 */
export const standsIn = ({ role, model, settings: { roles } }: Brief): boolean =>
  role === 'Reviewer' &&
  model === undefined &&
  (roles['reviewer'] ?? roles['Reviewer'] ?? 'script') !== 'script';
