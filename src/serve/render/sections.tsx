/** @jsxImportSource hono/jsx */

import { formatSpent } from '../../../components/frame/select-header.ts';
import { selectNow } from '../../../components/frame/select-now.ts';
import { selectNeeds } from '../../../components/needs/select-needs.ts';
import { selectTasks, type TaskLine } from '../../../components/tasks/select-tasks.ts';
import type { ViewState } from '../../../components/view.ts';
import { safe } from '../../base/safe.ts';
import { pageNeeds } from '../../page/model/needs.ts';
import { pageTimeline } from '../../page/model/page-timeline.ts';
import { pageSteering } from '../../page/model/steering.ts';
import { SteeringSection } from '../../page/render/steering-section.tsx';
import { TimelineSvg } from '../../page/render/timeline-svg.tsx';
import { elapsed } from '../../page/render/words.ts';
import type { Event } from '../../pipeline/event.ts';
import { isComplete, statusWords } from '../../session/status.ts';
import { count, type LocalTime } from '../../words/local-time.ts';
import { lookSigns } from '../../words/look-signs.ts';
import { usageWords } from '../../words/usage-words.ts';
import { NeedCard } from './need-card.tsx';

/** What the parts of the page are drawn from. */
export interface Seen {
  /** The address of the session. */
  readonly base: string;
  readonly view: ViewState;
  /** Without output: the steering is told from them. */
  readonly events: readonly Event[];
  readonly now: LocalTime;
  /** A process runs the session. */
  readonly isRun: boolean;
}

/** A part of the page that is sent anew when it changed. `slow`: it is drawn from all that happened, and therefore less often. */
interface Section {
  readonly name: 'head' | 'needs' | 'tasks' | 'timeline' | 'steering';
  readonly slow: boolean;
  readonly draw: (seen: Seen) => string;
}

/** Tasks that the page lists. */
const mostTasks = 500;
/** The newest of what was said. */
const mostSteering = 60;

const Head = ({ view, now, isRun }: Seen) => {
  const { session } = view;
  if (session === null) return <p class="quiet">Nothing was recorded yet.</p>;
  const { done, failed, total } = selectTasks(view);
  const { text, tone } = selectNow(view, now);
  const isLost = !isRun && !isComplete(session);
  const facts = [
    total === 0 ? '' : `${done} of ${total} done`,
    failed === 0 ? '' : `${failed} failed`,
    formatSpent(session),
    usageWords(session.spending.values()),
  ];
  return (
    <>
      <p class="session">
        <span class={`status ${isLost ? 'held' : tone}`}>
          {isLost ? 'not running' : statusWords(session.status)}
        </span>{' '}
        <span class="facts">{facts.filter((fact) => fact !== '').join(' · ')}</span>
      </p>
      <h1>{session.goal === '' ? 'A session without a goal' : safe(session.goal)}</h1>
      <p class={`now ${tone}`}>{text}</p>
      {total === 0 ? null : (
        <progress max={total} value={done} aria-label={`${done} of ${count(total, 'task')} done`} />
      )}
    </>
  );
};

const Needs = ({ base, view, now }: Seen) => {
  const { session } = view;
  const shown = pageNeeds(view);
  if (session === null || shown.length === 0) return <p class="quiet">Nothing waits for you.</p>;
  return (
    <section class="needs" aria-labelledby="needs-head">
      <h2 id="needs-head">Needs you ({shown.length})</h2>
      {selectNeeds({ ...view, connection: 'attached' }).map((need, index) => {
        const text = shown[index];
        return text === undefined ? null : (
          <NeedCard base={base} session={session} need={need} shown={text} now={now} />
        );
      })}
    </section>
  );
};

const Tasks = ({ base, view }: Seen) => {
  const { ids, lines } = selectTasks(view);
  if (ids.length === 0) return <p class="quiet">No tasks yet.</p>;
  return (
    <section aria-labelledby="tasks-head">
      <h2 id="tasks-head">Tasks</h2>
      <ul class="rows">
        {ids.slice(0, mostTasks).map((id) => {
          const line = lines.get(id);
          return line === undefined ? null : <TaskRow base={base} line={line} />;
        })}
      </ul>
      {ids.length > mostTasks ? (
        <p class="quiet">{count(ids.length - mostTasks, 'more task')} not shown</p>
      ) : null}
    </section>
  );
};

const TaskRow = ({ base, line }: { readonly base: string; readonly line: TaskLine }) => {
  const [sign, , tone] = lookSigns[line.look];
  return (
    <li>
      <a href={`${base}/task/${encodeURIComponent(line.id)}`} class="row">
        <span class={`sign ${tone}`} aria-hidden="true">
          {sign}
        </span>
        <span class="title">
          <span class="id">{safe(line.id)}</span> {line.title}
        </span>
        <span class={`word ${tone}`}>{safe(line.word)}</span>
        <span class="facts">{line.tookMs === null ? '' : elapsed(line.tookMs)}</span>
      </a>
    </li>
  );
};

const Timeline = ({ view, now }: Seen) => {
  const timeline = pageTimeline(view, now);
  return timeline.lanes.length === 0 ? null : (
    <section aria-labelledby="timeline-head">
      <h2 id="timeline-head">Timeline</h2>
      <TimelineSvg timeline={timeline} offset={now.offset} />
    </section>
  );
};

const Steering = ({ view, events, now }: Seen) => {
  const all = pageSteering(view, events);
  const at = view.session?.at ?? '';
  return <SteeringSection steering={all.slice(-mostSteering).reverse()} at={at} offset={now.offset} />;
};

/** Every part in the order of the page: a phone shows first what a person looks for first. */
export const sections: readonly Section[] = [
  { name: 'head', slow: false, draw: (seen) => (<Head {...seen} />).toString() },
  { name: 'needs', slow: false, draw: (seen) => (<Needs {...seen} />).toString() },
  { name: 'tasks', slow: false, draw: (seen) => (<Tasks {...seen} />).toString() },
  { name: 'timeline', slow: true, draw: (seen) => (<Timeline {...seen} />).toString() },
  { name: 'steering', slow: true, draw: (seen) => (<Steering {...seen} />).toString() },
];

export type SectionName = Section['name'];
