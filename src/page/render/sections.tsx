/** @jsxImportSource hono/jsx */

import { unmergedWords } from '../../../components/changes/changed-files-words.ts';
import { count } from '../../words/local-time.ts';
import { sessionCommand } from '../../words/session-command.ts';
import type { PageModel, PageNeed } from '../model/page-model.ts';
import { Diff, LineCount } from './diff.tsx';
import { RichText } from './rich-text.tsx';
import { endWords } from './timeline-svg.tsx';
import { clockTime, elapsed, timeOfDay } from './words.ts';

/** What waits for a person: the strongest thing on the page. */
export const Needs = ({ needs, at, offset }: Pick<PageModel, 'needs' | 'at' | 'offset'>) =>
  needs.length === 0 ? null : (
    <section class="needs" aria-labelledby="needs">
      <h2 id="needs">Needs you</h2>
      {needs.map((need) => (
        <NeedCard need={need} since={timeOfDay(need.since, at, offset)} />
      ))}
    </section>
  );

const NeedCard = ({ need, since }: { readonly need: PageNeed; readonly since: string }) => (
  <div class="need">
    <p>
      <strong>{need.text}</strong> <span class="facts">since {since}</span>
    </p>
    {need.context.length === 0 ? null : (
      <pre tabindex={0} role="region" aria-label="About this session">
        {need.context.join('\n')}
      </pre>
    )}
    {need.options.length === 0 ? null : (
      <ul class="options">
        {need.options.map((option) => (
          <li>{option}</li>
        ))}
      </ul>
    )}
  </div>
);

/** The timeline in words, for people who do not see it. */
export const TimelineTable = ({ timeline, offset }: Pick<PageModel, 'timeline' | 'offset'>) => {
  const bars = timeline.lanes
    .flatMap(({ title, bars }) => bars.map((bar) => ({ ...bar, title })))
    .sort((a, b) => a.from - b.from);
  if (bars.length === 0) return null;
  return (
    <details class="aside">
      <summary>The timeline in a table</summary>
      <div class="scroll" tabindex={0} role="region" aria-label="The timeline in a table">
        <table>
          <thead>
            <tr>
              <th scope="col">Began</th>
              <th scope="col">Agent</th>
              <th scope="col">Task</th>
              <th scope="col">Took</th>
              <th scope="col">How it went</th>
            </tr>
          </thead>
          <tbody>
            {bars.slice(0, mostRows).map((bar) => (
              <tr>
                <td>{clockTime(bar.from, offset)}</td>
                <td>{bar.title}</td>
                <td>{bar.task === null ? '' : bar.label}</td>
                <td>{elapsed(bar.to - bar.from)}</td>
                <td>{endWords[bar.end]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {bars.length > mostRows ? (
        <p class="quiet">{count(bars.length - mostRows, 'more row')} not shown</p>
      ) : null}
    </details>
  );
};

const mostRows = 300;

/** The net changes of the session. */
export const ChangesSection = ({ changes, session }: Pick<PageModel, 'changes' | 'session'>) => {
  const { files, diff, missing, unmerged } = changes;
  if (files.length === 0 && missing === null && unmerged.length === 0) return null;
  const added = files.reduce((sum, file) => sum + (file.added ?? 0), 0);
  const removed = files.reduce((sum, file) => sum + (file.removed ?? 0), 0);
  const shown = new Set(diff.map(({ path }) => path));
  const rest = files.filter(({ path }) => !shown.has(path));
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">Changes</h2>
      {unmerged.length === 0 ? null : (
        <p>{unmergedWords(unmerged, (words) => sessionCommand(session, words))}</p>
      )}
      {missing === null ? null : <p class="quiet">{missing}</p>}
      {missing !== null || files.length === 0 ? null : (
        <p class="lead">
          {count(files.length, 'file')} <LineCount added={added} removed={removed} />
        </p>
      )}
      <Diff files={diff} />
      {rest.length === 0 ? null : (
        <ul class="files">
          {rest.map((file) => (
            <li>
              <code>{file.path}</code> <LineCount added={file.added} removed={file.removed} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

/** The Reviewer's assessment of the whole session. */
export const ReviewSection = ({ review }: Pick<PageModel, 'review'>) =>
  review === null ? null : (
    <section aria-labelledby="review">
      <h2 id="review">Review of the session</h2>
      <p class={review.goalsAchieved ? 'came good' : 'came bad'}>
        {review.goalsAchieved ? 'Goals achieved' : 'Goals not achieved'}
      </p>
      <p class="prose">{review.assessment}</p>
      {review.gaps.length === 0 ? null : (
        <ul>
          {review.gaps.map((gap) => (
            <li>{gap}</li>
          ))}
        </ul>
      )}
    </section>
  );

/** What was learned, and whether it was kept. */
export const LessonsSection = ({ lessons }: Pick<PageModel, 'lessons'>) =>
  lessons.length === 0 ? null : (
    <section aria-labelledby="lessons">
      <h2 id="lessons">Lessons</h2>
      {lessons.map((lesson) => (
        <details class="file">
          <summary>
            <span>{lesson.title}</span>
            <span class={`word ${lesson.fate === 'kept' ? 'done' : 'secondary'}`}>{lesson.fate}</span>
          </summary>
          <RichText lines={lesson.text} />
        </details>
      ))}
    </section>
  );

/** Everything that happened, in sentences. */
export const EventsSection = ({
  events,
  eventsLeftOut,
  problems,
  offset,
}: Pick<PageModel, 'events' | 'eventsLeftOut' | 'problems' | 'offset'>) => (
  <section aria-labelledby="events">
    <h2 id="events">Log</h2>
    {problems.length === 0 ? null : (
      <ul class="problems">
        {problems.map((problem) => (
          <li class="bad">{problem}</li>
        ))}
      </ul>
    )}
    <details class="aside">
      <summary>{count(events.length, 'event')}</summary>
      {eventsLeftOut === 0 ? null : <p class="quiet">{count(eventsLeftOut, 'earlier event')} not shown</p>}
      <ol class="log">
        {events.map((event) => (
          <li>
            <time>{clockTime(event.at, offset)}</time> {event.text}
          </li>
        ))}
      </ol>
    </details>
  </section>
);

/** What the page leaves out on purpose. */
export const RemovedNote = ({ removed, structure }: Pick<PageModel, 'removed' | 'structure'>) => (
  <p>
    {structure ? 'This page shows the structure of the session, but none of its text. ' : ''}
    {removed.length === 0
      ? 'Redaction found no secrets in this session.'
      : `Removed before writing: ${removed.map(({ kind, count: amount }) => `${kind} × ${amount}`).join(', ')}.`}
  </p>
);
