/** The last `capacity` things pushed, oldest first; what no longer fits is dropped and counted. */
export interface RingBuffer<T> {
  readonly capacity: number;
  /** O(1); returns what had to make room, if anything. */
  push(item: T): T | undefined;
  /** 0 is the oldest that is still held; `undefined` outside. */
  at(index: number): T | undefined;
  /** Items `from` up to, not including, `to`; both are clamped. */
  slice(from?: number, to?: number): T[];
  readonly size: () => number;
  /** How many were dropped since the start, so that line numbers stay true. */
  readonly dropped: () => number;
  clear(): void;
}

/** A ring buffer of fixed capacity (at least 1); room is taken as it is needed. */
export const createRingBuffer = <T>(capacity: number): RingBuffer<T> => {
  if (!Number.isInteger(capacity) || capacity < 1) throw new RangeError(`ring buffer capacity ${capacity}`);
  let items: T[] = [];
  let start = 0;
  let dropped = 0;
  const at = (index: number): T | undefined =>
    index < 0 || index >= items.length ? undefined : items[(start + index) % items.length];
  return {
    capacity,
    at,
    push: (item) => {
      if (items.length < capacity) {
        items.push(item);
        return undefined;
      }
      const oldest = items[start];
      items[start] = item;
      start = (start + 1) % capacity;
      dropped += 1;
      return oldest;
    },
    slice: (from = 0, to = items.length) => {
      const first = Math.max(0, from);
      const last = Math.min(items.length, to);
      if (first >= last) return [];
      const begin = (start + first) % items.length;
      const end = begin + last - first;
      return end <= items.length
        ? items.slice(begin, end)
        : [...items.slice(begin), ...items.slice(0, end - items.length)];
    },
    size: () => items.length,
    dropped: () => dropped,
    clear: () => {
      items = [];
      start = 0;
      dropped = 0;
    },
  };
};
