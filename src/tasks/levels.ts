import { at } from './cycles.ts';

/** Kahn's sort: `level` is the longest path from a root. Skips edges between nodes of one group (≥ 0); `left` nodes were not reached. */
export const levels = (
  rows: Int32Array,
  targets: Int32Array,
  group: Int32Array,
): { readonly level: Int32Array; readonly left: number } => {
  const count = group.length;
  const counts = (from: number, to: number): boolean => at(group, from) < 0 || group[from] !== group[to];
  const missing = new Int32Array(count);
  const starts = new Int32Array(count + 1);
  for (let node = 0; node < count; node += 1) {
    for (let edge = at(rows, node); edge < at(rows, node + 1); edge += 1) {
      const blocker = at(targets, edge);
      if (!counts(node, blocker)) continue;
      missing[node] = at(missing, node) + 1;
      starts[blocker + 1] = at(starts, blocker + 1) + 1;
    }
  }
  for (let node = 0; node < count; node += 1) starts[node + 1] = at(starts, node + 1) + at(starts, node);
  const free = starts.slice(0, count);
  const dependants = new Int32Array(at(starts, count));
  for (let node = 0; node < count; node += 1) {
    for (let edge = at(rows, node); edge < at(rows, node + 1); edge += 1) {
      const blocker = at(targets, edge);
      if (!counts(node, blocker)) continue;
      dependants[at(free, blocker)] = node;
      free[blocker] = at(free, blocker) + 1;
    }
  }
  const level = new Int32Array(count);
  const queue = new Int32Array(count);
  let tail = 0;
  for (let node = 0; node < count; node += 1) if (missing[node] === 0) queue[tail++] = node;
  for (let head = 0; head < tail; head += 1) {
    const node = at(queue, head);
    for (let edge = at(starts, node); edge < at(starts, node + 1); edge += 1) {
      const next = at(dependants, edge);
      level[next] = Math.max(at(level, next), at(level, node) + 1);
      missing[next] = at(missing, next) - 1;
      if (missing[next] === 0) queue[tail++] = next;
    }
  }
  return { level, left: count - tail };
};
