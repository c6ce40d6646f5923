import { acceptsFiles } from '../../pipeline/agents/accepts-files.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { Attribute } from '../../signals/mailbox/with-authors.ts';
import { attributed } from '../../signals/proof.ts';
import type { EngineOptions } from '../engine.ts';

/**
 * Says who wrote a signal, by the record of a person. A record is read each time: another program may spend it. Where every file counts, a file speaks for
 * itself.
 */
export const createAuthors = (
  { proofs }: Pick<EngineOptions, 'proofs'>,
  state: () => SessionState,
): Attribute => {
  let asked: { readonly of: SessionState; readonly accepts: boolean } | null = null;
  const accepts = (now: SessionState): boolean => {
    if (asked?.of !== now) asked = { of: now, accepts: acceptsFiles(now) };
    return asked.accepts;
  };
  return (id, signal, over) => {
    if (proofs === null) return signal;
    const found = proofs.of(id);
    const proof = found === null || (found.spent && !over) ? null : found;
    return proof === null && accepts(state()) ? signal : attributed(signal, proof);
  };
};
