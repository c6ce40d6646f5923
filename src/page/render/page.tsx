/** @jsxImportSource hono/jsx */
import { html, raw } from 'hono/html';
import { count } from '../../words/local-time.ts';
import type { PageModel } from '../model/page-model.ts';
import { taskAnchor } from './anchors.ts';
import { CostsSection } from './costs-section.tsx';
import { GraphSvg } from './graph-svg.tsx';
import {
  ChangesSection,
  EventsSection,
  LessonsSection,
  Needs,
  RemovedNote,
  ReviewSection,
  TimelineTable,
} from './sections.tsx';
import { SteeringSection } from './steering-section.tsx';
import { style } from './style.ts';
import { TaskCard } from './task-card.tsx';
import { TimelineSvg } from './timeline-svg.tsx';
import { longDate } from './words.ts';

/** The whole page as one document without scripts: it asks nothing from outside, and its policy lets nothing in. */
export const renderPage = (model: PageModel, version: string): string =>
  html`<!doctype html>${<Document model={model} version={version} />}`.toString();

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const Document = ({ model, version }: { readonly model: PageModel; readonly version: string }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={policy} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <title>{`${model.goal === '' ? model.session : model.goal} · ralph-tui`}</title>
      <style>{raw(style)}</style>
    </head>
    <body>
      <a class="skip" href="#main">
        Skip to the session
      </a>
      <Head model={model} />
      <main id="main">
        <Needs {...model} />
        <TasksSection {...model} />
        <TimelineSection {...model} />
        <SteeringSection {...model} />
        <ReviewSection {...model} />
        <ChangesSection {...model} />
        <CostsSection {...model} />
        <LessonsSection {...model} />
        <EventsSection {...model} />
      </main>
      <footer>
        <RemovedNote {...model} />
        <p>
          Written by ralph-tui {version} from session {model.session}, as of{' '}
          {longDate(model.at, model.offset)}.
        </p>
      </footer>
    </body>
  </html>
);

const Head = ({ model }: { readonly model: PageModel }) => {
  const { progress, strip } = model;
  const facts: readonly (readonly [string, string])[] = [
    ['Tasks', progress.total === 0 ? '' : `${progress.done} of ${progress.total} done`],
    ['Failed', progress.failed === 0 ? '' : String(progress.failed)],
    ['Time', model.time],
    ['Used', model.used],
    ['Iteration', model.iteration > 1 ? String(model.iteration) : ''],
    ['Began', model.startedAt === null ? '' : longDate(model.startedAt, model.offset)],
  ];
  return (
    <header>
      <p class="session">
        Session {model.session}
        <span class={`status ${model.tone}`}>{model.status}</span>
      </p>
      <h1>{model.goal === '' ? 'A session without a goal' : model.goal}</h1>
      <p class={`now ${model.tone}`}>{model.now}</p>
      {progress.total === 0 ? null : (
        <div
          class="progress"
          role="img"
          aria-label={`${progress.done} of ${count(progress.total, 'task')} done, ${progress.failed} failed`}
        >
          <span class="done" style={`flex-grow:${progress.done}`} />
          <span class="failed" style={`flex-grow:${progress.failed}`} />
          <span
            class="rest"
            style={`flex-grow:${Math.max(0, progress.total - progress.done - progress.failed)}`}
          />
        </div>
      )}
      <dl class="facts">
        {facts
          .filter(([, value]) => value !== '')
          .map(([label, value]) => (
            <div>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <ol class="strip" aria-label="Parts of the session">
        {strip.map(({ word, phase, note }) => (
          <li
            class={note === undefined ? phase : 'bad'}
            aria-current={phase === 'current' ? 'step' : undefined}
          >
            {note === undefined ? word : `${word}: ${note}`}
          </li>
        ))}
      </ol>
    </header>
  );
};

const TasksSection = ({ tasks, offset }: Pick<PageModel, 'tasks' | 'offset'>) => {
  const anchors = new Map(tasks.map(({ id }, index) => [id, taskAnchor(index)]));
  return (
    <section aria-labelledby="tasks">
      <h2 id="tasks">Tasks</h2>
      {tasks.length === 0 ? <p class="quiet">No tasks yet.</p> : null}
      <GraphSvg tasks={tasks} />
      <div class="tasks">
        {tasks.map((task, index) => (
          <TaskCard task={task} index={index} offset={offset} anchorOf={(id) => anchors.get(id) ?? null} />
        ))}
      </div>
    </section>
  );
};

const TimelineSection = ({ timeline, offset }: Pick<PageModel, 'timeline' | 'offset'>) =>
  timeline.lanes.length === 0 ? null : (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <TimelineSvg timeline={timeline} offset={offset} />
      <ul class="legend">
        <li class="good">
          <i />
          ended well
        </li>
        <li class="bad">
          <i />
          failed
        </li>
        <li class="wait">
          <i />
          asked a person
        </li>
        <li>letters: signals; &gt; a start; x a stop</li>
      </ul>
      <TimelineTable timeline={timeline} offset={offset} />
    </section>
  );
