import type { SignalKind } from '../mailbox.ts';

/** Seed 001, section 3.6: handled only while knowledge waits for approval. Staged files stay. */
export const skip: SignalKind = {
  type: 'SKIP',
  category: 'gate',
  description: 'Finish without promoting the staged knowledge; the files stay staged.',
  decides: (_signal, { gateOpen }) => gateOpen,
  check: () => null,
};
