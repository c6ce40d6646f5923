import type { Neighbours } from './order.ts';

/**
 * How much room vertices take across the ranks, in cells: rows where ranks are columns, columns where ranks are rows. Each vertex has one port
 * for its edges.
 */
export interface Room {
  /** Cells of a vertex before and after its port. */
  readonly before: (vertex: number) => number;
  readonly after: (vertex: number) => number;
  /** Blank cells between two vertices of a rank. */
  readonly gap: number;
  /** Ports stand on multiples of it, so that a shifted rank shares no line with its neighbours. */
  readonly grid: number;
}

type RankOrder = readonly (readonly number[])[];

const rounds = 6;

/**
 * The port of each vertex, close to the middle of its neighbours and never too close to the next vertex of its rank. `shifts` holds the cells
 * by which each rank leaves the grid.
 */
export const placePorts = (
  ranks: RankOrder,
  neighbours: Neighbours,
  room: Room,
  shifts: readonly number[],
): ReadonlyMap<number, number> => {
  const ports = new Map<number, number>();
  const offsets = ranks.map((rank) => offsetsOf(rank, room));
  ranks.forEach((rank, index) => {
    rank.forEach((vertex, place) => {
      ports.set(vertex, (offsets[index]?.[place] ?? 0) + (shifts[index] ?? 0));
    });
  });
  for (let round = 0; round < rounds; round += 1) {
    const down = round % 2 === 0;
    const last = round >= rounds - 2;
    for (let step = 0; step < ranks.length; step += 1) {
      const index = down ? step : ranks.length - 1 - step;
      const rank = ranks[index] ?? [];
      const shift = shifts[index] ?? 0;
      const wanted = rank.map((vertex) => {
        const { before, after } = neighbours;
        const own = ports.get(vertex) ?? 0;
        const fixed = (down ? before : after)[vertex] ?? [];
        const beside = last ? [...(before[vertex] ?? []), ...(after[vertex] ?? [])] : fixed;
        return (beside.length === 0 ? own : mean(beside.map((each) => ports.get(each) ?? 0))) - shift;
      });
      settle(wanted, offsets[index] ?? [], room.grid).forEach((port, place) => {
        ports.set(rank[place] ?? 0, port + shift);
      });
    }
  }
  return ports;
};

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The smallest allowed port of each vertex of a rank, when the first one is at 0. */
const offsetsOf = (rank: readonly number[], room: Room): readonly number[] => {
  let offset = 0;
  return rank.map((vertex, place) => {
    const previous = rank[place - 1];
    if (previous !== undefined) {
      const apart = room.after(previous) + 1 + room.gap + room.before(vertex);
      offset += Math.ceil(apart / room.grid) * room.grid;
    }
    return offset;
  });
};

/** The ports nearest to the wanted ones that keep the distances: isotonic regression, in one pass over the rank. */
const settle = (wanted: readonly number[], offsets: readonly number[], grid: number): readonly number[] => {
  const blocks: { sum: number; size: number }[] = [];
  wanted.forEach((value, place) => {
    let block = { sum: value - (offsets[place] ?? 0), size: 1 };
    for (
      let last = blocks.at(-1);
      last && last.sum / last.size > block.sum / block.size;
      last = blocks.at(-1)
    ) {
      block = { sum: block.sum + last.sum, size: block.size + last.size };
      blocks.pop();
    }
    blocks.push(block);
  });
  const starts = blocks.flatMap(({ sum, size }) =>
    Array.from({ length: size }, () => Math.round(sum / size / grid) * grid),
  );
  return starts.map((start, place) => start + (offsets[place] ?? 0));
};
