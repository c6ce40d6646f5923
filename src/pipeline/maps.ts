import { largeMap, withEntry } from './evolve/layered-map.ts';

/**
 * Maps of the state during a fold. A map that others may hold is copied on the first write. The copy belongs to the fold, which
 * then writes in place. A fold of a whole journal copies each map once instead of up to 200,000 times. A fold of one event
 * copies only small maps and lays one entry over a large one, so a live event costs the same however many tasks the session has.
 */
export interface Owned {
  readonly maps: WeakSet<object>;
  readonly fold: 'one' | 'many';
}

/** Owns no map yet. `many` is for a whole journal. */
export const createOwned = (fold: Owned['fold']): Owned => ({ maps: new WeakSet(), fold });

/** The map with the entry added or replaced. */
export const put = <K, V>(own: Owned, map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> => {
  if (own.fold === 'one' && map.size >= largeMap && !own.maps.has(map)) return withEntry(map, key, value);
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
  if (own.maps.has(map) && map instanceof Map) return map;
  const copy = new Map(map);
  own.maps.add(copy);
  return copy;
};
