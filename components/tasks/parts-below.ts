/** The tasks of a wave in their order, but the parts of a split one directly below it. `partOf`: the whole of each part. */
export const partsBelow = (
  wave: readonly string[],
  partOf: ReadonlyMap<string, string>,
): readonly string[] => {
  if (partOf.size === 0) return wave;
  const here = new Set(wave);
  const partsOf = Map.groupBy(wave, (id) => partOf.get(id) ?? '');
  const ordered = new Set<string>();
  const take = (first: string): void => {
    // An explicit stack: a long chain of splits would overflow the call stack.
    const stack = [first];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (ordered.has(id)) continue;
      ordered.add(id);
      stack.push(...(partsOf.get(id) ?? []).toReversed());
    }
  };
  for (const id of wave) if (!here.has(partOf.get(id) ?? '')) take(id);
  // The members of a ring of splits are parts of each other.
  for (const id of wave) take(id);
  return [...ordered];
};
