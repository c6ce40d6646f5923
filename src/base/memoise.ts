/** Computes once per object: selectors of big values hang on the identity of the state they read. Pure to the caller. */
export const memoise = <K extends object, V>(compute: (key: K) => V): ((key: K) => V) => {
  const known = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const found = known.get(key);
    if (found) return found.value;
    const value = compute(key);
    known.set(key, { value });
    return value;
  };
};

/**
 * For what depends on more than an object: its last answer stands for as long as the rest is `same`. `compute` is given the answer before, to take from it
 * what has not changed. Pure to the caller.
 */
export const memoiseLast = <K extends object, R, V>(
  same: (one: R, other: R) => boolean,
  compute: (key: K, rest: R, before: V | null) => V,
): ((key: K, rest: R) => V) => {
  const known = new WeakMap<K, { readonly rest: R; readonly value: V }>();
  return (key, rest) => {
    const found = known.get(key);
    if (found && same(found.rest, rest)) return found.value;
    const value = compute(key, rest, found?.value ?? null);
    known.set(key, { rest, value });
    return value;
  };
};
