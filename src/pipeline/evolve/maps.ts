/**
 * Maps of the state while events are folded. A map that others may hold is copied on the first write; the copy belongs to the fold and is written in
 * place from then on. A fold of one event copies what it touches, a fold of a whole journal copies each map once: the difference
 * between 200,000 copies of a growing map and none.
 */
export type Owned = WeakSet<object>;

/** The map with the entry added or replaced. */
export const put = <K, V>(own: Owned, map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> => {
  const target = writable(own, map);
  target.set(key, value);
  return target;
};

/** The map without the entry; the same map when there is none. */
export const drop = <K, V>(own: Owned, map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> => {
  if (!map.has(key)) return map;
  const target = writable(own, map);
  target.delete(key);
  return target;
};

/** The map with the entry changed; the same map when there is none. */
export const change = <K, V>(
  own: Owned,
  map: ReadonlyMap<K, V>,
  key: K,
  edit: (value: V) => V,
): ReadonlyMap<K, V> => {
  const value = map.get(key);
  return value === undefined ? map : put(own, map, key, edit(value));
};

const writable = <K, V>(own: Owned, map: ReadonlyMap<K, V>): Map<K, V> => {
  if (own.has(map) && map instanceof Map) return map;
  const copy = new Map(map);
  own.add(copy);
  return copy;
};
