import { type IssueState, stateSlug } from '../../../src/issues/state.ts';
import { editFrontMatter } from '../../../src/tasks/front-matter.ts';
import type { SeededRandom } from '../../helpers/seeded-random.ts';
import type { SimulatedDisk } from '../../helpers/simulated-disk.ts';
import { issueFile, type Ledger } from './ledger.ts';

const deeds = [
  'closes',
  'cancels',
  'takes over',
  'moves back',
  'moves on',
  'moves on',
  'edits',
  'edits',
  'retitles',
  'deletes',
  'blocks',
  'frees',
  'adds',
] as const;
type Deed = (typeof deeds)[number];

/** A person does something to an issue in the middle of the work. Returns what, or `null` when it cannot be done now. */
export const meddle = (random: SeededRandom, disk: SimulatedDisk, ledger: Ledger): Deed | null => {
  const ids = ledger.ids();
  if (ids.length === 0) return null;
  const id = random.pick(ids);
  const state = ledger.stateOf(id);
  if (state === null) return null;
  const path = issueFile(id);
  const change = (matter: Readonly<Record<string, unknown>>): void =>
    disk.put(path, editFrontMatter(disk.text(path), matter));
  const move = (to: IssueState): void => change({ state: stateSlug(to), lock: undefined });
  const deed = random.pick(deeds);
  ledger.touched.add(id);
  switch (deed) {
    case 'closes':
      move('Done');
      break;
    case 'cancels':
      if (state === 'Done') return null;
      move('Canceled');
      break;
    case 'takes over':
      if (state === 'Done' || state === 'Canceled') return null;
      move('Human Needed');
      break;
    case 'moves back':
      move(random.pick(['Backlog', 'Research Needed', 'Ready for Plan']));
      break;
    case 'moves on': {
      const states = onward[state];
      if (states === undefined) return null;
      move(random.pick(states));
      break;
    }
    case 'edits':
      disk.put(path, `${disk.text(path)}\nAnd one more thing: ${random.hex(4)}.\n`);
      break;
    case 'retitles':
      change({ title: `Issue ${id} ${random.hex(4)}` });
      break;
    case 'deletes':
      disk.unlink(path);
      break;
    case 'blocks':
      change({ blockedBy: [random.pick([...ids, '99'])] });
      break;
    case 'frees':
      change({ blockedBy: [] });
      break;
    case 'adds': {
      const added = String(Math.max(...ids.map(Number)) + 1);
      disk.put(issueFile(added), `---\ntitle: Late ${added}\nstate: backlog\nparent: "${id}"\n---\nLate.\n`);
      ledger.note(added);
    }
  }
  ledger.note(id);
  return deed;
};

const onward: Readonly<Partial<Record<IssueState, readonly [IssueState, ...IssueState[]]>>> = {
  'Human Needed': ['Backlog', 'Research Needed', 'Ready for Plan', 'In Progress'],
  'Plan in Review': ['In Progress', 'Ready for Plan'],
  Backlog: ['Research Needed', 'Ready for Plan'],
  'Research Needed': ['Ready for Plan'],
};
