/**
 * A large map with one entry added or changed, without a full copy: a shared base and a small layer over it. The state's maps of tasks and
 * signals grow with the session, and a copy of 5,000 entries for each event made a session's cost quadratic. Values are never `undefined`.
 */
interface LayeredMap<K, V> extends ReadonlyMap<K, V> {
  readonly base: ReadonlyMap<K, V>;
  readonly layer: ReadonlyMap<K, V>;
}

/** Number of entries from which a layer is cheaper than a copy. */
export const largeMap = 256;

/** True for a map that is a base with a layer. */
export const isLayered = <K, V>(map: ReadonlyMap<K, V>): map is LayeredMap<K, V> => 'layer' in map;

/**
 * The map with the entry, in the order of a `Map`: a known key keeps its place, a new one comes last.
 * A layer as large as the square root of the base is merged, which balances the copies of both.
 */
export const withEntry = <K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> => {
  const base = isLayered(map) ? map.base : map;
  const layer = new Map(isLayered(map) ? map.layer : []).set(key, value);
  const added = map.size - base.size + (map.has(key) ? 0 : 1);
  const layered = createLayered(base, layer, base.size + added);
  return layer.size ** 2 > base.size ? new Map(layered) : layered;
};

const createLayered = <K, V>(
  base: ReadonlyMap<K, V>,
  layer: ReadonlyMap<K, V>,
  size: number,
): LayeredMap<K, V> => {
  function* entries(): Generator<[K, V], undefined> {
    for (const entry of base) {
      const over = layer.get(entry[0]);
      yield over === undefined ? entry : [entry[0], over];
    }
    for (const entry of layer) if (!base.has(entry[0])) yield entry;
  }
  function* keys(): Generator<K, undefined> {
    for (const [key] of entries()) yield key;
  }
  function* values(): Generator<V, undefined> {
    for (const [, value] of entries()) yield value;
  }
  const layered: LayeredMap<K, V> = {
    base,
    layer,
    size,
    get: (key) => layer.get(key) ?? base.get(key),
    has: (key) => layer.has(key) || base.has(key),
    forEach: (visit) => {
      for (const [key, value] of entries()) visit(value, key, layered);
    },
    entries,
    keys,
    values,
    [Symbol.iterator]: entries,
  };
  return layered;
};
