import { createStore } from '../../../components/create-store.ts';
import { formatSpent } from '../../../components/frame/select-header.ts';
import { selectNow } from '../../../components/frame/select-now.ts';
import { selectStrip } from '../../../components/frame/select-strip.ts';
import { selectTasks } from '../../../components/tasks/select-tasks.ts';
import type { ViewState } from '../../../components/view.ts';
import type { Clock } from '../../base/clock.ts';
import { formatFault } from '../../base/fault.ts';
import { safe, safeBlock } from '../../base/safe.ts';
import type { Event } from '../../pipeline/event.ts';
import { evolve } from '../../pipeline/evolve.ts';
import type { SessionState } from '../../pipeline/state.ts';
import { isComplete, statusWords } from '../../session/status.ts';
import type { LocalTime } from '../../words/local-time.ts';
import { markdownLines } from '../../words/markdown-lines.ts';
import { usageWords } from '../../words/usage-words.ts';
import { pageNeeds } from './needs.ts';
import { pageChanges } from './page-changes.ts';
import { costsBy } from './page-costs.ts';
import type { PageEvent, PageLesson, PageModel, PageTone } from './page-model.ts';
import type { PageSource } from './page-source.ts';
import { pageTasks } from './page-task.ts';
import { pageTimeline } from './page-timeline.ts';
import { pageSteering } from './steering.ts';
import { stepsOf } from './steps.ts';

/** How much a page shows. Everything beyond is counted. */
const focused = { steps: 40, linesOfFile: 400, linesInAll: 3_000, events: 400 };
const whole = { steps: 5_000, linesOfFile: 50_000, linesInAll: 200_000, events: 50_000 };

/** Folds a session into its page. */
export const buildModel = (source: PageSource): PageModel => {
  const { events, state, full } = source;
  const limits = full ? whole : focused;
  const view = viewOf(source);
  const ended = !source.isRun || isComplete(state);
  const now: LocalTime = { ms: ended ? Date.parse(state.at) : source.now, offset: source.offset };
  const { done, failed, total } = selectTasks(view);
  const told = sentences(events, source.sentence, limits.events);
  return {
    format: 1,
    session: safe(state.session),
    goal: safe(state.goal),
    mode: state.mode,
    iteration: state.iteration,
    state: state.state,
    status: statusWords(state.running && !source.isRun ? 'crashed' : state.status),
    ...nowOf(view, source, now),
    startedAt: events[0]?.at ?? null,
    at: state.at,
    offset: source.offset,
    time: formatSpent(state),
    used: usageWords(state.spending.values()),
    progress: { done, failed, total },
    strip: selectStrip(state),
    needs: pageNeeds(view),
    tasks: pageTasks(view, source, stepsOf(events), limits),
    timeline: pageTimeline(view, now),
    steering: pageSteering(view, events),
    changes: pageChanges(source.changes, limits),
    costs: {
      agents: costsBy(state.spending, ({ backend }) => backend),
      tasks: costsBy(state.spending, ({ task }) => task),
    },
    review: reviewOf(state),
    lessons: lessonsOf(state, source.lessons),
    ...told,
    problems: state.problems.map((fault) => safe(formatFault(fault))),
    removed: source.removed,
    structure: source.structure,
  };
};

/** The view of a screen that looks at the session without steering it: its sentences name no keys. */
const viewOf = ({ events, state, isRun }: PageSource): ViewState => {
  const store = createStore({ clock: standingClock, evolve, connection: 'replay' });
  store.load(events);
  const view = { ...store.getState(), session: state };
  return isRun || isComplete(state) ? view : { ...view, connection: 'stopped', replay: null };
};

/** The fold never waits. */
const standingClock: Clock = {
  now: () => 0,
  monotonic: () => 0,
  offsetMinutes: () => 0,
  after: () => () => {},
};

const nowOf = (
  view: ViewState,
  { state, isRun }: PageSource,
  now: LocalTime,
): { readonly now: string; readonly tone: PageTone } => {
  if (!isRun && !isComplete(state)) {
    const reason = state.running ? 'crashed' : safe(state.stopReason ?? statusWords(state.status));
    return { now: `Stopped: ${reason}`, tone: state.running ? 'bad' : 'held' };
  }
  const { text, tone } = selectNow(view, now);
  return { now: text, tone };
};

const reviewOf = ({ review }: SessionState): PageModel['review'] =>
  review === null
    ? null
    : {
        assessment: safeBlock(review.assessment),
        goalsAchieved: review.goalsAchieved,
        gaps: review.gaps.map(safe),
      };

const lessonsOf = (state: SessionState, texts: PageSource['lessons']): readonly PageLesson[] => {
  const { staged, carried, promoted } = state.knowledge;
  return [...new Set([...staged, ...carried, ...promoted])].map((file) => {
    const text = markdownLines((texts.get(file) ?? '').replace(/^---\r?\n[\s\S]*?\n---\r?\n/, ''));
    const heading = text[0]?.kind === 'sub' ? text[0].text : null;
    return {
      file: safe(file),
      title: heading ?? safe(file),
      fate: fateOf(state, file),
      text: heading === null ? text : text.slice(1),
    };
  });
};

const fateOf = ({ knowledge, gate, decision }: SessionState, file: string): PageLesson['fate'] => {
  if (knowledge.promoted.includes(file)) return 'kept';
  if (gate?.gate === 'knowledge') return 'waits for you';
  return decision?.decision === 'carry' ? 'carried' : 'not kept';
};

const sentences = (
  events: readonly Event[],
  sentence: PageSource['sentence'],
  most: number,
): Pick<PageModel, 'events' | 'eventsLeftOut'> => {
  const all = events.flatMap((event): readonly PageEvent[] => {
    const text = sentence(event);
    return text === null ? [] : [{ seq: event.seq, at: event.at, text: safe(text) }];
  });
  return { events: all.slice(-most), eventsLeftOut: Math.max(0, all.length - most) };
};
