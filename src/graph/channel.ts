/** The edges between two neighbouring ranks, as pairs of vertices with their ports. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly fromPort: number;
  readonly toPort: number;
}

/** Where the trunks between two ranks stand, counted in tracks from the first rank. */
export interface Tracks {
  /** The track of the trunk that joins the two vertices. 0 where their line is straight. */
  readonly trackOf: (from: number, to: number) => number;
  readonly count: number;
}

/** Vertices that all have the same targets: one trunk joins them. */
interface Net {
  readonly sources: readonly number[];
  readonly targets: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly low: number;
  readonly high: number;
}

/**
 * Gives each trunk a track, so that lines of different vertices cross but never run over each other. `null` where two lines would need to be
 * before each other: the second rank then must not share ports with the first one.
 */
export const assignTracks = (segments: readonly Segment[]): Tracks | null => {
  const nets = netsOf(segments);
  const bent = nets.filter(({ low, high }) => low !== high);
  const must = bent.map((net) => bent.map((other) => net !== other && mustPrecede(net, other)));
  const sequence = sequenceOf(bent, must);
  if (sequence === null) return null;
  const trackOf = new Map<string, number>();
  const tracks = new Array<number>(bent.length).fill(0);
  let count = 0;
  sequence.forEach((index, done) => {
    const net = bent[index];
    if (net === undefined) return;
    let track = 0;
    for (const earlier of sequence.slice(0, done)) {
      const other = bent[earlier];
      const apart = other === undefined || other.high < net.low || net.high < other.low;
      if (!apart || must[earlier]?.[index]) track = Math.max(track, (tracks[earlier] ?? 0) + 1);
    }
    tracks[index] = track;
    count = Math.max(count, track + 1);
    for (const from of net.sources) for (const to of net.targets) trackOf.set(`${from} ${to}`, track);
  });
  return { trackOf: (from, to) => trackOf.get(`${from} ${to}`) ?? 0, count };
};

const netsOf = (segments: readonly Segment[]): readonly Net[] => {
  const ports = new Map(segments.flatMap((each) => [[each.from, each.fromPort] as const]));
  const ends = new Map(segments.map(({ to, toPort }) => [to, toPort]));
  const targetsOf = new Map<number, readonly number[]>();
  for (const [from, each] of Map.groupBy(segments, (segment) => segment.from))
    targetsOf.set(
      from,
      each.map(({ to }) => to).sort((a, b) => a - b),
    );
  const shares = [...targetsOf].flatMap(([from, targets]) =>
    shared(targets, [...targetsOf.values()]).map((part) => ({ from, part })),
  );
  return [...Map.groupBy(shares, ({ part }) => part.join(' ')).values()].map((members) => {
    const sources = members.map(({ from }) => from);
    const targets = members[0]?.part ?? [];
    const [startPorts, endPorts] = [
      sources.map((vertex) => ports.get(vertex) ?? 0),
      targets.map((vertex) => ends.get(vertex) ?? 0),
    ];
    const all = [...startPorts, ...endPorts];
    return {
      sources,
      targets,
      starts: startPorts,
      ends: endPorts,
      low: Math.min(...all),
      high: Math.max(...all),
    };
  });
};

/** Targets in the groups that other vertices have as all of theirs: a vertex with more targets joins their trunk and adds one for the rest. */
const shared = (
  targets: readonly number[],
  others: readonly (readonly number[])[],
): readonly (readonly number[])[] => {
  const within = others
    .filter((other) => other.length > 1 && other.length < targets.length)
    .filter((other) => other.every((each) => targets.includes(each)))
    .sort((a, b) => b.length - a.length)[0];
  if (within === undefined) return [targets];
  return [
    within,
    ...shared(
      targets.filter((each) => !within.includes(each)),
      others,
    ),
  ];
};

/** A line that leaves on the row where another one arrives has to turn away first. */
const mustPrecede = (net: Net, other: Net): boolean => net.starts.some((start) => other.ends.includes(start));

/** Crossings of the two nets when the first one has the track nearer to the start. */
const cost = (first: Net, second: Net): number => {
  const inside = (port: number, net: Net): number => (port > net.low && port < net.high ? 1 : 0);
  return (
    first.ends.reduce((sum, port) => sum + inside(port, second), 0) +
    second.starts.reduce((sum, port) => sum + inside(port, first), 0)
  );
};

/** The nets in the order of their tracks: few crossings within what must be. `null` where that is a ring. */
const sequenceOf = (
  nets: readonly Net[],
  must: readonly (readonly boolean[])[],
): readonly number[] | null => {
  const left = new Set(nets.keys());
  const preference = nets.map((net) =>
    nets.map((other) => (net === other ? 0 : cost(net, other) - cost(other, net))),
  );
  const sequence: number[] = [];
  while (left.size > 0) {
    let best: number | null = null;
    let lowest = Number.POSITIVE_INFINITY;
    for (const index of left) {
      let sum = 0;
      let free = true;
      for (const other of left) {
        if (must[other]?.[index]) {
          free = false;
          break;
        }
        sum += preference[index]?.[other] ?? 0;
      }
      if (free && sum < lowest) {
        best = index;
        lowest = sum;
      }
    }
    if (best === null) return null;
    left.delete(best);
    sequence.push(best);
  }
  return sequence;
};
