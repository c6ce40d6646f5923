import { memoise } from '../../src/base/memoise.ts';
import { type Spending, usageBy } from '../../src/pipeline/agents/spending.ts';
import { count, formatElapsed } from '../../src/words/local-time.ts';
import type { TaskLook } from '../../src/words/task-status.ts';
import { shortUsage } from '../../src/words/usage-words.ts';
import { selectTasks, type TaskLine } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';

/** A task on the end screen. */
export interface EndTask {
  readonly id: string;
  readonly title: string;
  readonly look: TaskLook;
  readonly word: string;
  /** "3 attempts · last 1:12 · $0.42": the time as in its row, the cost of all its attempts. */
  readonly spent: string;
}

/** Every task but those whose parts stand for them: the failed ones first, then those that they made unreachable, then the others in their order. */
export const selectEndTasks = (view: ViewState): readonly EndTask[] => {
  const { lines, ids } = selectTasks(view);
  const used = view.session === null ? null : usedByTask(view.session.spending);
  const all = ids.flatMap((id) => lines.get(id) ?? []);
  return all
    .filter(({ look }) => look !== 'replaced')
    .sort((one, other) => rank(one) - rank(other))
    .map((line) => ({
      id: line.id,
      title: line.title,
      look: line.look,
      word: line.word,
      spent: spentOn(line, used?.get(line.id) ?? ''),
    }));
};

/** Criteria of done tasks for which the last review found nothing that shows them. */
export const countUnchecked = (view: ViewState): number =>
  [...selectTasks(view).lines.values()]
    .filter(({ look }) => look === 'done')
    .flatMap(({ id }) => Object.values(view.attempts.of(id).at(-1)?.criteria ?? {}))
    .filter((status) => status === 'not checked').length;

const rank = ({ look }: TaskLine): number => (look === 'failed' ? 0 : look === 'unreachable' ? 1 : 2);

const usedByTask = memoise(
  (spending: Spending): ReadonlyMap<string | null, string> =>
    new Map([...usageBy(spending, ({ task }) => task)].map(([task, spent]) => [task, shortUsage(spent)])),
);

const spentOn = ({ attempt, tookMs }: TaskLine, used: string): string => {
  const took = tookMs === null ? '' : formatElapsed(tookMs);
  return [
    attempt > 1 ? count(attempt, 'attempt') : '',
    attempt > 1 && took !== '' ? `last ${took}` : took,
    used,
  ]
    .filter((part) => part !== '')
    .join(' · ');
};
