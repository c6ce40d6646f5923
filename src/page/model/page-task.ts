import type { Attempt } from '../../../components/details/attempt-history.ts';
import { selectAttempts } from '../../../components/details/select-attempts.ts';
import { selectTasks, type TaskLine } from '../../../components/tasks/select-tasks.ts';
import type { ViewState } from '../../../components/view.ts';
import { commandText } from '../../agents/command-text.ts';
import { safe, safeBlock } from '../../base/safe.ts';
import type { SessionState, TaskState } from '../../pipeline/state.ts';
import type { DetailLine } from '../../words/detail-line.ts';
import { markdownLines } from '../../words/markdown-lines.ts';
import type { TaskLook } from '../../words/task-status.ts';
import { usageWords } from '../../words/usage-words.ts';
import { type DiffFileModel, type DiffLimits, diffFiles } from './page-changes.ts';
import type { PageSource } from './page-source.ts';
import { type Step, stepsKey } from './steps.ts';

export interface PageTask {
  readonly id: string;
  readonly title: string;
  /** Counts from 1. */
  readonly wave: number;
  readonly look: TaskLook;
  /** The status in words. */
  readonly word: string;
  readonly agent: string | null;
  /** Working time of the last attempt; `null` before its end. */
  readonly tookMs: number | null;
  readonly used: string;
  readonly objective: readonly string[];
  readonly criteria: readonly {
    readonly text: string;
    readonly verdict: 'met' | 'not met' | 'not checked' | null;
  }[];
  readonly blockedBy: readonly string[];
  readonly blocks: readonly string[];
  readonly partOf: string | null;
  readonly replacedBy: readonly string[];
  readonly declaredFiles: readonly string[];
  readonly commands: readonly string[];
  readonly verify: readonly string[];
  readonly attempts: readonly PageAttempt[];
  /** What the task changed, all its attempts together. */
  readonly diff: readonly DiffFileModel[];
  /** The report of the last attempt. */
  readonly report: readonly DetailLine[];
}

export interface PageAttempt {
  readonly number: number;
  readonly outcome: Attempt['outcome'];
  readonly reason: string | null;
  readonly startedAt: string;
  readonly tookMs: number | null;
  readonly files: readonly string[];
  readonly steers: readonly string[];
  /** Tool calls and commands, the oldest first. */
  readonly steps: readonly Step[];
  readonly stepsLeftOut: number;
  /** The end of what it printed; `null` when it is left out. */
  readonly output: string | null;
}

/** Every task in the order of the waves. */
export const pageTasks = (
  view: ViewState,
  source: Pick<PageSource, 'diffs' | 'outputs' | 'reports'>,
  steps: ReadonlyMap<string, readonly Step[]>,
  limits: TaskLimits,
): readonly PageTask[] => {
  const { session } = view;
  if (session === null) return [];
  const table = selectTasks(view);
  return [...table.lines.values()].flatMap((line): readonly PageTask[] => {
    const task = session.tasks.get(line.id);
    if (task === undefined) return [];
    const { blockersOf, dependantsOf, waveOf } = table.graph;
    const attempts = selectAttempts(view, line.id);
    const report = source.reports.get(line.id);
    return [
      {
        ...statusPart(session, task, line),
        wave: (waveOf.get(line.id) ?? 0) + 1,
        criteria: criteriaOf(task, attempts.at(-1)),
        blockedBy: (blockersOf.get(line.id) ?? []).map(safe),
        blocks: (dependantsOf.get(line.id) ?? []).map(safe),
        attempts: attempts.map((attempt) => attemptOf(line.id, attempt, source, steps, limits)),
        diff: diffFiles(source.diffs.get(line.id)?.diff ?? '', limits),
        report: report === undefined ? [] : markdownLines(withoutFrontMatter(report)),
      },
    ];
  });
};

interface TaskLimits extends DiffLimits {
  /** Tool calls and commands shown of an attempt. */
  readonly steps: number;
}

const statusPart = (session: SessionState, { definition }: TaskState, line: TaskLine) => ({
  id: safe(line.id),
  title: line.title,
  look: line.look,
  word: safe(line.word),
  agent: line.agent === null ? null : safe(line.agent),
  tookMs: line.tookMs,
  used: usageWords([...session.spending.values()].filter(({ task }) => task === line.id)),
  objective: definition.objective === '' ? [] : safeBlock(definition.objective).split('\n'),
  partOf: line.partOf === null ? null : safe(line.partOf),
  replacedBy: definition.replaced_by.map(safe),
  declaredFiles: definition.files.map(safe),
  commands: definition.run.map((command) => safe(commandText(command))),
  verify: definition.verify.map((command) => safe(commandText(command))),
});

const criteriaOf = ({ definition }: TaskState, last: Attempt | undefined): PageTask['criteria'] => {
  const verdicts = last?.criteria ?? {};
  const more = Object.keys(verdicts).filter((name) => !definition.criteria.includes(name));
  return [...definition.criteria, ...more].map((name) => ({
    text: safe(name),
    verdict: verdicts[name] ?? null,
  }));
};

const attemptOf = (
  task: string,
  attempt: Attempt,
  { outputs }: Pick<PageSource, 'outputs'>,
  steps: ReadonlyMap<string, readonly Step[]>,
  limits: TaskLimits,
): PageAttempt => {
  const key = stepsKey(task, attempt.number);
  const own = steps.get(key) ?? [];
  const output = outputs.get(key);
  return {
    number: attempt.number,
    outcome: attempt.outcome,
    reason: attempt.reason === null ? null : safe(attempt.reason),
    startedAt: attempt.startedAt,
    tookMs: attempt.workedMs,
    files: attempt.files.map(safe),
    steers: attempt.steers.map(safe),
    steps: own.slice(0, limits.steps),
    stepsLeftOut: Math.max(0, own.length - limits.steps),
    output: output ?? null,
  };
};

const withoutFrontMatter = (text: string): string => text.replace(/^---\r?\n[\s\S]*?\n---\r?\n/, '');
