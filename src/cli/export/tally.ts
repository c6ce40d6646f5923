import { countSecrets, createRedact, type Redact, redacted } from '../../base/redact.ts';
import { withoutEncoded } from '../../base/secrets/encoded-secrets.ts';

/** Redaction that counts what it removes, by kind. */
export interface Tally {
  readonly redact: Redact;
  /** Counts an event that is left out as a whole. */
  readonly leaveOut: () => void;
  /** The kinds in the order of their first find. */
  readonly removed: () => readonly { readonly kind: string; readonly count: number }[];
}

/** Marks that the session itself left where a secret was count as a kind of their own. */
export const removedEarlier = 'removed earlier, while the session was running';

export const createTally = (secrets: readonly string[]): Tally => {
  const redact = createRedact(secrets);
  const counts = new Map<string, number>();
  const add = (kind: string, by: number): void => {
    if (by > 0) counts.set(kind, (counts.get(kind) ?? 0) + by);
  };
  return {
    redact: (text) => {
      if (text.includes(redacted)) add(removedEarlier, text.split(redacted).length - 1);
      const clean = redact(text);
      if (clean !== text) {
        const found = countSecrets(secrets, text);
        for (const [kind, count] of found) add(kind, count);
        if (found.size === 0) add('secret', 1);
      }
      return withoutEncoded(
        clean,
        (decoded) => {
          const holds = redact(decoded) !== decoded;
          add('encoded secret', holds ? 1 : 0);
          return holds;
        },
        redacted,
      );
    },
    leaveOut: () => add('event that was invalid without its secrets', 1),
    removed: () => [...counts].map(([kind, count]) => ({ kind, count })),
  };
};
