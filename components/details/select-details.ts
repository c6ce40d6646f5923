import { memoise } from '../../src/base/memoise.ts';
import { safe } from '../../src/base/safe.ts';
import type { Spending } from '../../src/pipeline/agents/spending.ts';
import { ordersInForce } from '../../src/pipeline/orders.ts';
import type { SessionState, TaskState } from '../../src/pipeline/state.ts';
import type { TaskId } from '../../src/tasks/task.ts';
import type { DetailLine } from '../../src/words/detail-line.ts';
import { count, formatElapsed, formatSince, formatWait, type LocalTime } from '../../src/words/local-time.ts';
import { lookSigns } from '../../src/words/look-signs.ts';
import { markdownLines } from '../../src/words/markdown-lines.ts';
import { reasonWords } from '../../src/words/reason-words.ts';
import { stateWord } from '../../src/words/state-words.ts';
import type { TaskLook } from '../../src/words/task-status.ts';
import { usageWords } from '../../src/words/usage-words.ts';
import { turnLines } from '../loop/turn-lines.ts';
import type { ReportRef } from '../ports/viewer-port.ts';
import { selectAgents } from '../tasks/select-agents.ts';
import { selectRunners } from '../tasks/select-runners.ts';
import { selectTask, selectTasks, type TaskLine } from '../tasks/select-tasks.ts';
import { whyFailed } from '../tasks/why-failed.ts';
import type { ViewState } from '../view.ts';
import type { Attempt } from './attempt-history.ts';
import { commandLines, edgeLines, fileLines, objectiveLines, section, withWord } from './definition-lines.ts';
import { selectAttempts } from './select-attempts.ts';

/** The details of the selected task: objective, criteria, edges in both directions, attempts, files, the report. Without `now` they name no running time. */
export const selectDetails = (view: ViewState, now: LocalTime | null = null): readonly DetailLine[] => {
  const id = selectTask(view);
  const { session } = view;
  const task = id === null ? undefined : session?.tasks.get(id);
  const table = selectTasks(view);
  const { lines } = table;
  if (id === null || session === null || task === undefined)
    return [
      { kind: 'text', text: 'No task yet.' },
      ...selectAgents(view.session, null),
      ...(session === null ? [] : [...selectRunners(session), ...sessionLines(session)]),
    ];
  const { definition } = task;
  const line = lines.get(id);
  const attempt = selectAttempt(view);
  const parts = definition.replaced_by;
  return [
    { kind: 'title', text: `${id}  ${safe(definition.title)}` },
    {
      kind: line === undefined ? 'text' : (toneOf[line.look] ?? 'text'),
      text: `${line?.look === 'asks' ? `${lookSigns.asks[0]} ` : ''}${line === undefined || line.look === 'failed' ? task.status : line.word}${runningTime(line, now)}${task.attempt > 1 ? ` · attempt ${task.attempt}` : ''}`,
    },
    ...whyLines(view, task),
    ...selectAgents(view.session, id),
    ...used(session.spending, id),
    ...turnLines(session, task),
    ...objectiveLines(definition),
    ...criteria(task, attempt),
    ...section('Split into', parts.map(withWord(lines)), 'item'),
    ...section('Part of', line?.partOf === null || !line ? [] : [withWord(lines)(line.partOf)], 'item'),
    ...edgeLines(table, id),
    ...attemptLines(task, selectAttempts(view, id), attempt, line, now),
    ...section('Steered', (attempt?.steers ?? []).map(safe), 'item'),
    ...section(
      'Orders in force',
      ordersInForce(session, task).map(({ text }) => safe(text)),
      'item',
    ),
    ...section(
      isSent(task) ? `Sent to attempt ${task.attempt}` : 'For the next attempt',
      // The failure stands above.
      task.feedback
        .filter(({ text }) => task.status !== 'failed' || text !== task.reason)
        .map(({ text }) => safe(text)),
      'item',
    ),
    ...fileLines(session, definition),
    ...section(
      attempt === null || attempt.number === task.attempt
        ? 'Changed by the last attempt'
        : `Changed by attempt ${attempt.number}`,
      (attempt === null || attempt.number === task.attempt ? task.changed : attempt.files).map(safe),
      'item',
    ),
    ...commandLines(definition),
    ...report(view),
    ...selectRunners(session),
    ...sessionLines(session),
  ];
};

/** How the command that failed ended, and what names the failure; of a task that an agent did its reason. */
const whyLines = (view: ViewState, task: TaskState): readonly DetailLine[] => {
  if (task.status !== 'failed') return [];
  const { command, verdict, tail } = whyFailed(view, task);
  return [
    { kind: 'heading', text: command === '' ? 'Why' : `Why: ${command}` },
    { kind: 'bad', text: verdict },
    ...tail.map((text): DetailLine => ({ kind: 'text', text: safe(text) })),
  ];
};

/** The messages to the task went to the attempt that works or is looked at. Its failure makes them the next one's. */
const isSent = ({ status, review }: TaskState): boolean =>
  status === 'running' || (status === 'review' && review !== 'rejected');

/** How long an agent has worked or waited for a person, as in the row of its task. */
const runningTime = (line: TaskLine | undefined, now: LocalTime | null): string => {
  if (line?.look === 'done' && line.tookMs !== null) return ` ${formatElapsed(line.tookMs)}`;
  if (now === null || line === undefined || line.since === null) return '';
  return ` ${line.look === 'asks' ? formatWait(line.since, now) : formatSince(line.since, now)}`;
};

/** What the header leaves out: the session's id, and how it may work. */
const sessionLines = ({
  session,
  state,
  mode,
  status,
  iteration,
  settings,
}: SessionState): readonly DetailLine[] =>
  section(
    'Session',
    [
      [safe(session), iteration > 1 ? `iteration ${iteration}` : '', stateWord(state, mode, status)]
        .filter((part) => part !== '')
        .join(' · '),
      `permissions ${settings.permissions} · ${count(settings.concurrency.max_parallel_executors, 'executor')}`,
    ],
    'item',
  );

/** What the agents of all attempts and reviews of the task used. */
const used = (spending: Spending, id: TaskId): readonly DetailLine[] => {
  const words = usageWords([...spending.values()].filter(({ task }) => task === id));
  return words === '' ? [] : [{ kind: 'text', text: `used ${words}` }];
};

/** The selected attempt, else the last. */
export const selectAttempt = (view: ViewState): Attempt | null => {
  const id = selectTask(view);
  const attempts = id === null ? [] : selectAttempts(view, id);
  const { attempt } = view.ui.log;
  return (
    (attempt === null ? undefined : attempts.find((each) => each.number === attempt)) ??
    attempts.at(-1) ??
    null
  );
};

/** The report in the details, and its cache key. A review changes the file, so the key depends on it. */
export const selectReport = (view: ViewState): { readonly ref: ReportRef; readonly key: string } | null => {
  const task = selectTask(view);
  const attempt = selectAttempt(view);
  const iteration = task === null ? undefined : view.session?.tasks.get(task)?.iteration;
  if (task === null || attempt === null || iteration === undefined) return null;
  const ref = { task, iteration, attempt: attempt.number };
  return { ref, key: `${iteration}/${task}#${attempt.number} ${attempt.outcome}` };
};

const signs = { met: '✓ met', 'not met': '✗ not met', 'not checked': '– not checked' } as const;

const criteria = (task: TaskState, attempt: Attempt | null): readonly DetailLine[] => {
  const verdicts = attempt?.criteria ?? {};
  const known = task.definition.criteria;
  const more = Object.keys(verdicts).filter((name) => !known.includes(name));
  const lines = [...known, ...more].map((name): DetailLine => {
    const verdict = verdicts[name];
    if (verdict === undefined) return { kind: 'item', text: safe(name) };
    const kind = verdict === 'met' ? 'good' : verdict === 'not met' ? 'bad' : 'item';
    return { kind, text: `${signs[verdict]}: ${safe(name)}` };
  });
  return lines.length === 0 ? [] : [{ kind: 'heading', text: 'Success criteria' }, ...lines];
};

/** The tone of a task's status; all others are plain. */
const toneOf: { readonly [look in TaskLook]?: DetailLine['kind'] } = {
  failed: 'bad',
  unreachable: 'bad',
  done: 'good',
  asks: 'asks',
};

/** What an attempt that has not ended does instead of running. */
const openWords: { readonly [look in TaskLook]?: string } = { paused: 'paused', asks: 'asks you' };

/** The only attempt says nothing that is not above, unless it was broken off. */
const isPlain = ({ number, outcome }: Attempt): boolean =>
  number === 1 && ['running', 'in review', 'done', 'failed'].includes(outcome);

const attemptLines = (
  task: TaskState,
  attempts: readonly Attempt[],
  chosen: Attempt | null,
  line: TaskLine | undefined,
  now: LocalTime | null,
): readonly DetailLine[] => {
  if (attempts.every(isPlain) && attempts.length < 2) return [];
  const isChoice = attempts.length > 1;
  return [
    { kind: isChoice ? 'choice' : 'heading', text: 'Attempts' },
    ...attempts.map((each) => {
      const isToldAbove = task.status === 'failed' && each.number === task.attempt;
      const shown = isToldAbove ? { ...each, reason: null } : each;
      return attemptLine(shown, isChoice && each === chosen, line, now);
    }),
  ];
};

const attemptLine = (
  attempt: Attempt,
  chosen: boolean,
  line: TaskLine | undefined,
  now: LocalTime | null,
): DetailLine => {
  const look = line?.look;
  const words = reasonWords(attempt.reason ?? '');
  const reason = words === '' ? '' : `: ${words}`;
  const isOpen = attempt.outcome === 'running' || (look === 'asks' && attempt.outcome === 'in review');
  const asks = isOpen && look === 'asks' ? runningTime(line, now) : '';
  const outcome = (isOpen && openWords[look ?? 'running']) || attempt.outcome;
  // A review takes its own time.
  const worked = isOpen || attempt.outcome === 'in review' ? `${asks}, worked` : '';
  const took = attempt.workedMs === null ? asks : `${worked} ${formatElapsed(attempt.workedMs)}`;
  return { kind: chosen ? 'chosen' : 'item', text: `${attempt.number} ${outcome}${took}${reason}` };
};

const report = (view: ViewState): readonly DetailLine[] => {
  const wanted = selectReport(view);
  const text = wanted === null ? undefined : view.ui.reports[wanted.key];
  if (wanted === null || text === undefined || text === null) return [];
  return [{ kind: 'heading', text: `Report of attempt ${wanted.ref.attempt}` }, ...rendered({ text })];
};

/** Renders the latest reports once, not for every frame. */
const rendered = (() => {
  const keys = new Map<string, object & { readonly text: string }>();
  const render = memoise((key: { readonly text: string }) =>
    markdownLines(key.text.replace(/^---\r?\n[\s\S]*?\n---\r?\n/, '')),
  );
  return ({ text }: { readonly text: string }): readonly DetailLine[] => {
    const key = keys.get(text) ?? { text };
    if (keys.size > 20) keys.clear();
    keys.set(text, key);
    return render(key);
  };
})();
