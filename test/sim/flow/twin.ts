import { type IssueState, stateSlug } from '../../../src/issues/state.ts';
import { editFrontMatter } from '../../../src/tasks/front-matter.ts';
import type { SeededRandom } from '../../helpers/seeded-random.ts';
import type { SimulatedDisk } from '../../helpers/simulated-disk.ts';
import { issueFile, type Ledger } from './ledger.ts';

/** Another session in the same workspace: somebody started twice. It takes issues as sessions do, and hands them on, or dies with them. */
export interface Twin {
  readonly isAlive: (session: string | null) => boolean;
  /** Takes a step; returns what, or `null` when there is nothing for it. */
  readonly act: (random: SeededRandom) => string | null;
  /** Hands on what it holds, and ends. */
  readonly end: () => void;
}

export const createTwin = (disk: SimulatedDisk, ledger: Ledger): Twin => {
  let lives = 0;
  let session: string | null = null;
  const put = (id: string, state: IssueState, lock: Readonly<Record<string, unknown>> | undefined): void => {
    ledger.touched.add(id);
    const path = issueFile(id);
    disk.put(path, editFrontMatter(disk.text(path), { state: stateSlug(state), lock }));
    ledger.note(id);
  };
  const held = (): readonly string[] =>
    session === null ? [] : ledger.ids().filter((id) => ledger.lockOf(id) === session);
  const handOn = (id: string): void => {
    const state = ledger.stateOf(id);
    const next = state === null ? undefined : after[state];
    if (next !== undefined) put(id, next, undefined);
  };
  const take = (random: SeededRandom): string | null => {
    const free = ledger.ids().filter((id) => {
      const state = ledger.stateOf(id);
      return state !== null && begins[state] !== undefined && ledger.lockOf(id) === null;
    });
    if (free.length === 0) return null;
    const id = random.pick([free[0] ?? '', ...free.slice(1)]);
    const state = begins[ledger.stateOf(id) ?? 'Done'];
    if (state === undefined) return null;
    if (session === null) lives += 1;
    session ??= `260301-${String(lives).padStart(6, '0')}`;
    put(id, state, { holder: { machine: 'here', workspace: '/work', session }, since: '' });
    return 'starts twice';
  };
  return {
    isAlive: (other) => other !== null && other === session,
    act: (random) => {
      const [first] = held();
      if (first === undefined || random.chance(0.3)) return take(random);
      if (random.chance(0.3)) {
        session = null;
        return 'ends the second start, which leaves its locks';
      }
      handOn(first);
      return 'sees the second start hand an issue on';
    },
    end: () => {
      for (const id of held()) handOn(id);
      session = null;
    },
  };
};

const begins: Readonly<Partial<Record<IssueState, IssueState>>> = {
  'Research Needed': 'Research in Progress',
  'Ready for Plan': 'Plan in Progress',
  'In Progress': 'In Progress',
};

const after: Readonly<Partial<Record<IssueState, IssueState>>> = {
  'Research in Progress': 'Ready for Plan',
  'Plan in Progress': 'Plan in Review',
  'In Progress': 'In Review',
};
