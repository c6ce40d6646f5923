import { acceptsFiles } from '../../pipeline/agents/accepts-files.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { Attribute } from '../../signals/mailbox/with-authors.ts';
import { attributed, type Proof } from '../../signals/proof.ts';
import type { EngineOptions } from '../engine.ts';

/** Says who wrote a signal, by the record of a person; a record is read once. Where every file counts, a file speaks for itself. */
export const createAuthors = (
  { proofOf }: Pick<EngineOptions, 'proofOf'>,
  state: () => SessionState,
): Attribute => {
  const known = new Map<string, Proof>();
  let asked: { readonly of: SessionState; readonly accepts: boolean } | null = null;
  const accepts = (now: SessionState): boolean => {
    if (asked?.of !== now) asked = { of: now, accepts: acceptsFiles(now) };
    return asked.accepts;
  };
  return (id, signal) => {
    if (proofOf === null) return signal;
    const proof = known.get(id) ?? proofOf(id);
    if (proof !== null) known.set(id, proof);
    return proof === null && accepts(state()) ? signal : attributed(signal, proof);
  };
};
