import type { Proof, Proofs } from '../../src/signals/proof.ts';

/** Records of a person in memory. `write`: what the real ones do on the disk when a person sends or confirms a signal. */
export const keptProofs = (): Proofs & { write(id: string, by: string): void } => {
  const kept = new Map<string, Proof>();
  return {
    of: (id) => kept.get(id) ?? null,
    spend: (id) => {
      const found = kept.get(id);
      if (found !== undefined) kept.set(id, { ...found, spent: true });
    },
    write: (id, by) => void kept.set(id, { by, at: '', spent: false }),
  };
};
