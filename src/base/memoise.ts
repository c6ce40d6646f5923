/** Computes once per object: selectors of big values are cached by the identity of the state they read. Pure to the caller. */
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
 * Caches a value that depends on more than an object: the last `kept` results hold while the rest is `same`. `compute` receives the previous result,
 * to reuse its unchanged parts. Pure to the caller.
 */
export const memoiseLast = <K extends object, R, V>(
  same: (one: R, other: R) => boolean,
  compute: (key: K, rest: R, before: V | null) => V,
  kept = 1,
): ((key: K, rest: R) => V) => {
  const known = new WeakMap<K, readonly { readonly rest: R; readonly value: V }[]>();
  return (key, rest) => {
    const before = known.get(key) ?? [];
    const found = before.find((each) => same(each.rest, rest));
    if (found) return found.value;
    const value = compute(key, rest, before[0]?.value ?? null);
    known.set(key, [{ rest, value }, ...before].slice(0, kept));
    return value;
  };
};

/** What `make` returns, made when it is first asked for and kept: most starts of the program need few of its large tables. */
export const late = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
