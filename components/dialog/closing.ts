import { act, always, type Command, type Context } from '../command.ts';
import { noOverlays } from '../in-lines.ts';

/** The keys that close the overlay of this context. */
export const closing = (context: Context, keys: readonly string[]): Command => ({
  id: `${context}.close`,
  context,
  keys,
  label: 'close',
  description: 'close',
  group: 'Leave',
  inLines: noOverlays,
  footer: 9,
  available: always,
  run: () => [act({ type: 'overlay-closed' })],
});
