/**
 * Strongly connected components of a graph in compressed rows: the edges of node `n` are `targets[rows[n] .. rows[n + 1]]`.
 * Returns only components that are cycles: two members or more, or one that points at itself. Members are in index order.
 * Tarjan's algorithm with an explicit stack, so that a chain of 10,000 tasks cannot overflow the call stack.
 */
export const findCycles = (rows: Int32Array, targets: Int32Array): readonly (readonly number[])[] => {
  const count = rows.length - 1;
  const order = new Int32Array(count);
  const low = new Int32Array(count);
  const onStack = new Uint8Array(count);
  const cursor = new Int32Array(count);
  const members: number[] = [];
  const path: number[] = [];
  const cycles: number[][] = [];
  let clock = 0;

  const enter = (node: number): void => {
    clock += 1;
    order[node] = clock;
    low[node] = clock;
    onStack[node] = 1;
    cursor[node] = at(rows, node);
    members.push(node);
    path.push(node);
  };

  const leave = (node: number): void => {
    path.pop();
    const parent = path.at(-1);
    if (parent !== undefined) low[parent] = Math.min(at(low, parent), at(low, node));
    if (low[node] !== order[node]) return;
    const component = members.splice(members.lastIndexOf(node));
    for (const member of component) onStack[member] = 0;
    if (component.length > 1 || pointsAtItself(rows, targets, node)) {
      cycles.push(component.sort((a, b) => a - b));
    }
  };

  for (let root = 0; root < count; root += 1) {
    if (order[root] !== 0) continue;
    enter(root);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const next = at(cursor, node);
      if (next === at(rows, node + 1)) {
        leave(node);
        continue;
      }
      cursor[node] = next + 1;
      const target = at(targets, next);
      if (order[target] === 0) enter(target);
      else if (onStack[target] === 1) low[node] = Math.min(at(low, node), at(order, target));
    }
  }
  return cycles.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
};

const pointsAtItself = (rows: Int32Array, targets: Int32Array, node: number): boolean =>
  targets.subarray(at(rows, node), at(rows, node + 1)).includes(node);

/** Typed arrays are dense: an index inside the bounds always holds a number. */
export const at = (array: Int32Array, index: number): number => array[index] ?? 0;
