/** Neighbours in the rank before and after each vertex. */
export interface Neighbours {
  readonly before: readonly (readonly number[])[];
  readonly after: readonly (readonly number[])[];
}

type RankOrder = readonly (readonly number[])[];

const sweeps = 10;

/** The ranks in an order with few crossings: barycentre sweeps down and up, then swaps of neighbours. Keeps the best order seen. */
export const orderRanks = (ranks: RankOrder, neighbours: Neighbours): RankOrder => {
  let current = ranks;
  let best = ranks;
  let fewest = crossings(ranks, neighbours);
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep += 1) {
    current = swept(current, neighbours, sweep % 2 === 0);
    const count = crossings(current, neighbours);
    if (count < fewest) {
      best = current;
      fewest = count;
    }
  }
  return fewest === 0 ? best : swapped(best, neighbours);
};

const placesOf = (ranks: RankOrder): ReadonlyMap<number, number> =>
  new Map(ranks.flatMap((rank) => rank.map((vertex, place) => [vertex, place] as const)));

const swept = (ranks: RankOrder, { before, after }: Neighbours, down: boolean): RankOrder => {
  const places = new Map(placesOf(ranks));
  const result = [...ranks];
  const order = ranks.map((_, index) => (down ? index : ranks.length - 1 - index));
  for (const rank of order) {
    const sorted = (result[rank] ?? [])
      .map((vertex, place) => {
        const fixed = (down ? before : after)[vertex] ?? [];
        const sum = fixed.reduce((total, each) => total + (places.get(each) ?? 0), 0);
        return { vertex, value: fixed.length === 0 ? place : sum / fixed.length };
      })
      .sort((a, b) => a.value - b.value)
      .map(({ vertex }) => vertex);
    sorted.forEach((vertex, place) => {
      places.set(vertex, place);
    });
    result[rank] = sorted;
  }
  return result;
};

/** Swaps neighbours as long as that removes crossings. */
const swapped = (ranks: RankOrder, { before, after }: Neighbours): RankOrder => {
  const result = ranks.map((rank) => [...rank]);
  const places = new Map(placesOf(ranks));
  const sorted = (edges: readonly (readonly number[])[], vertex: number): readonly number[] =>
    (edges[vertex] ?? []).map((each) => places.get(each) ?? 0).sort((a, b) => a - b);
  for (let round = 0, better = true; better && round < 4; round += 1) {
    better = false;
    for (const rank of result)
      for (let place = 0; place + 1 < rank.length; place += 1) {
        const [left = 0, right = 0] = [rank[place], rank[place + 1]];
        let gain = 0;
        for (const edges of [before, after]) {
          const [one, other] = [sorted(edges, left), sorted(edges, right)];
          gain += inversions(one, other) - inversions(other, one);
        }
        if (gain <= 0) continue;
        rank[place] = right;
        rank[place + 1] = left;
        places.set(right, place).set(left, place + 1);
        better = true;
      }
  }
  return result;
};

/** Crossings between the edges of two neighbours, with the first one on the left. */
const inversions = (left: readonly number[], right: readonly number[]): number => {
  let count = 0;
  for (const one of left) for (const other of right) if (one > other) count += 1;
  return count;
};

/** The number of crossings between all neighbouring ranks. */
const crossings = (ranks: RankOrder, { after }: Neighbours): number => {
  let total = 0;
  ranks.forEach((rank, index) => {
    const next = new Map((ranks[index + 1] ?? []).map((vertex, place) => [vertex, place]));
    const ends = rank.flatMap((vertex) =>
      (after[vertex] ?? []).map((each) => next.get(each) ?? 0).sort((a, b) => a - b),
    );
    total += inversionsIn(ends, next.size);
  });
  return total;
};

/** Pairs out of order, counted with a Fenwick tree. */
const inversionsIn = (values: readonly number[], size: number): number => {
  const tree = new Int32Array(size + 1);
  let count = 0;
  values.forEach((value, seen) => {
    let smaller = 0;
    for (let node = value + 1; node > 0; node -= node & -node) smaller += tree[node] ?? 0;
    count += seen - smaller;
    for (let node = value + 1; node <= size; node += node & -node) tree[node] = (tree[node] ?? 0) + 1;
  });
  return count;
};
