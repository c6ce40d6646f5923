import { createSeededRandom } from '../helpers/seeded-random.ts';
import {
  type CrashSession,
  createCrashSession,
  live,
  problemsAtTheEnd,
  problemsOnDisk,
} from './crash-session.ts';

/** A whole session, stopped at the operations of every file it writes, and stopped again while it recovers (test/README.md, Torture). */
export interface CrashPointOptions {
  /** `1` stops at every operation, `4` at every fourth. */
  readonly stride: number;
  /** Beside `kill -9`, the power fails: any part of what was not flushed is gone. */
  readonly power: boolean;
  /** The disk promises to flush and does not: the same checks have to find losses then. */
  readonly ignoreFlush?: boolean;
  readonly seed?: number;
  /** Only this operation: to look at a problem again. */
  readonly only?: number;
}

export interface CrashPointResult {
  /** Operations of an undisturbed session, by what they write. */
  readonly operations: Readonly<Record<string, number>>;
  readonly stops: number;
  readonly 'stops in the recovery': number;
  readonly problems: readonly string[];
}

/** Lives of one session: the last one is left in peace. */
const mostStops = 3;

export const crashPoints = async (options: CrashPointOptions): Promise<CrashPointResult> => {
  const { seed = 1, stride } = options;
  const calm = createCrashSession();
  await live(calm, 'begin');
  const problems = problemsAtTheEnd(calm).map((problem) => `undisturbed: ${problem}`);
  let stops = 0;
  let again = 0;
  const total = calm.session.disk.operations();
  for (let at = options.only ?? 1 + (seed % stride); at <= (options.only ?? total); at += stride) {
    const random = createSeededRandom(seed * 10_000 + at);
    const crash = createCrashSession(options.ignoreFlush);
    const { disk } = crash.session;
    disk.crashAfter(at, { torn: random.chance(0.5) });
    let end = await live(crash, 'begin');
    const say = (problem: string): unknown => problems.push(`seed ${seed}, stopped at ${at}: ${problem}`);
    for (let life = 1; end === null; life += 1) {
      if (life === 1) stops += 1;
      else again += 1;
      const share = random.next();
      crash.session.kill(options.power ? () => random.chance(share) : undefined);
      for (const problem of problemsOnDisk(crash)) say(problem);
      if (!hasBegun(crash)) break;
      if (life < mostStops) disk.crashAfter(1 + random.int(90), { torn: random.chance(0.5) });
      end = await live(crash, 'resume');
    }
    if (end === null) continue;
    if (end.status === 'completed') for (const problem of problemsAtTheEnd(crash)) say(problem);
    else say(`it ended ${end.status}`);
  }
  return { operations: countBySubject(calm.touched), stops, 'stops in the recovery': again, problems };
};

/** Before the first line of the journal there is no session that could go on; nothing was promised either. */
const hasBegun = ({ session }: CrashSession): boolean =>
  (session.disk.lstat(session.paths.journal)?.size ?? 0) > 0;

const subjects: readonly (readonly [string, RegExp])[] = [
  ['journal', /journal\.jsonl/],
  ['progress', /progress\.md$/],
  ['metadata', /metadata\.yaml$/],
  ['lock', /\/lock\//],
  ['publish', /\/signals\/inputs\//],
  ['claim', /\/signals\/claimed\//],
  ['archive', /\/signals\/processed\//],
  ['broadcast', /\/signals\/acks\//],
  ['promotion', /\/\.docs\//],
  ['knowledge', /\/knowledge\//],
  ['reports', /\/reports\/.*\.md$/],
];

/** A temporary file counts as what it becomes. */
const countBySubject = (touched: readonly string[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  touched.forEach((path, index) => {
    const isTemporary = /\.tmp-|\/signals\/tmp\//.test(path);
    const target = isTemporary ? touched.slice(index).find((later) => !/\.tmp-|\/tmp\//.test(later)) : path;
    const subject = subjects.find(([, pattern]) => pattern.test(target ?? path))?.[0] ?? 'other';
    counts[subject] = (counts[subject] ?? 0) + 1;
  });
  return counts;
};
