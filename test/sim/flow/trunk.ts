import type { Clock } from '../../../src/base/clock.ts';
import { asResult, refuse } from '../../../src/changes/context.ts';
import type { ChangesPort, Finish, Finished, SessionChanges } from '../../../src/changes/port.ts';
import type { Result } from '../../../src/changes/result.ts';
import type { SeededRandom } from '../../helpers/seeded-random.ts';
import type { SimulatedDisk } from '../../helpers/simulated-disk.ts';
import { createSimulatedGit, filesAt, pathsBetween, type SimulatedGit } from '../../helpers/simulated-git.ts';
import { createSimulatedChanges } from '../../helpers/simulated-session-changes.ts';
import type { Act } from './ledger.ts';

/** The branch that a person has checked out, and those of the streams. It outlives every program. */
export interface Trunk {
  readonly files: Map<string, string>;
  readonly streams: Map<string, SimulatedGit>;
  /** The person has changes that are not committed. */
  isDirty: boolean;
}

export const createTrunk = (): Trunk => ({
  files: new Map(['src/a.ts', 'src/b.ts', 'src/c/d.ts', 'src/c/e.ts'].map((path) => [path, 'before'])),
  streams: new Map(),
  isDirty: false,
});

interface Parts {
  readonly trunk: Trunk;
  readonly disk: SimulatedDisk;
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly hear: (act: Act) => void;
}

/** Git for a flow: each stream has a branch of its own, which begins at the trunk and is merged back into it, with a conflict where both changed a file. */
export const createStreamChanges = (parts: Parts): ChangesPort => {
  const { trunk } = parts;
  const portOf = (session: string): readonly [ChangesPort, SimulatedGit] => {
    const git = trunk.streams.get(session) ?? createSimulatedGit(new Map(trunk.files));
    trunk.streams.set(session, git);
    return [createSimulatedChanges({ ...parts, git }, session), git];
  };
  const [first] = portOf('main');
  return {
    ...first,
    examine: first.examine,
    open: async (opening) => {
      const [port, git] = portOf(opening.session);
      const opened = await port.open(opening);
      if (!opened.ok || opening.isolation === 'shared') return opened;
      return { ok: true, value: withFinish(opened.value, (how) => finish(parts, git, opening.session, how)) };
    },
  };
};

const withFinish = (
  changes: SessionChanges,
  own: (how: Finish) => Promise<Result<Finished>>,
): SessionChanges =>
  new Proxy(changes, { get: (target, name) => (name === 'finish' ? own : Reflect.get(target, name)) });

const finish = async (
  { trunk, disk, clock, random, hear }: Parts,
  git: SimulatedGit,
  session: string,
  how: Finish,
): Promise<Result<Finished>> => {
  const branch = `ralph/${session}`;
  const wait = (): Promise<void> => new Promise((resolve) => void clock.after(random.int(400), resolve));
  await wait();
  const done = await asResult(async () => {
    if (how.how !== 'merge') throw refuse('not-simulated', `${how.how} is not simulated`);
    if (trunk.isDirty) throw refuse('dirty', 'you have changes that are not committed');
    const paths = pathsBetween(git, git.base, git.tip);
    const [base, tip] = [filesAt(git, git.base), filesAt(git, git.tip)];
    const left = paths.filter((path) => trunk.files.get(path) !== tip.get(path));
    const inBoth = left.filter((path) => trunk.files.get(path) !== base.get(path));
    if (inBoth.length > 0) throw refuse('conflict', `${inBoth.join(', ')} changed on both branches`);
    if (left.length > 0) {
      if (how.isWanted !== undefined && !(await how.isWanted()))
        throw refuse('called-off', 'the merge was called off');
      hear({ kind: 'merge', branch, checks: null });
      for (const other of trunk.streams.values()) if (other !== git) other.personMoved = true;
    }
    for (const path of left) {
      const text = tip.get(path);
      if (text === undefined) trunk.files.delete(path);
      else trunk.files.set(path, text);
    }
    for (const path of paths) {
      const text = tip.get(path);
      if (text === undefined) continue;
      disk.mkdir(`/work/${path}`.replace(/\/[^/]*$/, ''));
      disk.put(`/work/${path}`, text);
    }
    return { how: 'merged', branch: how.into, commit: git.tip, files: left } as const;
  });
  await wait();
  return done;
};
