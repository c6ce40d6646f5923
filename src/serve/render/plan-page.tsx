/** @jsxImportSource hono/jsx */
import { safe } from '../../base/safe.ts';
import type { PageTask } from '../../page/model/page-task.ts';
import type { OpenQuestion } from '../../pipeline/questions/open-questions.ts';
import type { SessionState } from '../../pipeline/state.ts';
import { Words } from './form.tsx';
import { page, type Viewer } from './layout.tsx';
import { Answer } from './need-card.tsx';

interface Shown {
  readonly root: string;
  readonly base: string;
  readonly session: SessionState;
  readonly viewer: Viewer;
}

/** What the plan consists of: the tasks of a session, or the lines of a document. */
export type PlanText =
  | { readonly kind: 'tasks'; readonly tasks: readonly PageTask[] }
  | { readonly kind: 'lines'; readonly lines: readonly string[]; readonly critique: string | null };

/** Lines that can be commented on. */
const mostLines = 3_000;

/** A plan that waits, with a field for a comment at each task or line, and the decision below. */
export const planPage = (
  { root, base, session, viewer }: Shown,
  question: OpenQuestion,
  plan: PlanText,
): string =>
  page(
    root,
    'The plan',
    <main id="main">
      <p class="crumbs">
        <a href={base}>Back to the session</a>
      </p>
      <h1>{safe(question.text)}</h1>
      <p class="quiet">Open a {plan.kind === 'tasks' ? 'task' : 'line'} to comment on it.</p>
      {plan.kind === 'lines' && plan.critique !== null ? (
        <details class="aside">
          <summary>The critique</summary>
          <pre tabindex={0}>{plan.critique}</pre>
        </details>
      ) : null}
      <Answer base={base} session={session} request={question.request}>
        {plan.kind === 'tasks' ? <PlanTasks tasks={plan.tasks} /> : <PlanLines lines={plan.lines} />}
      </Answer>
    </main>,
    viewer,
  );

const PlanTasks = ({ tasks }: { readonly tasks: readonly PageTask[] }) => (
  <ul class="rows">
    {tasks.map((task) => (
      <li>
        <details class="line">
          <summary>
            <span class="id">{task.id}</span> {task.title}
          </summary>
          {task.objective.map((line) => (
            <p>{line}</p>
          ))}
          {[
            ['Waits for', task.blockedBy],
            ['Done when', task.criteria.map(({ text }) => text)],
            ['Files', task.declaredFiles],
            ['Runs', task.commands],
            ['Verified by', task.verify],
          ].map(([label, values]) =>
            Array.isArray(values) && values.length > 0 ? (
              <p>
                <b>{label}</b> {values.join(' · ')}
              </p>
            ) : null,
          )}
          <Words id={`on-${task.id}`} name={`on:${task.id}`} label={`A comment on ${task.id}`} />
        </details>
      </li>
    ))}
  </ul>
);

const PlanLines = ({ lines }: { readonly lines: readonly string[] }) => (
  <div class="lines">
    {lines.slice(0, mostLines).map((line, index) =>
      line.trim() === '' ? null : (
        <details class="line">
          <summary>
            <code>{line}</code>
          </summary>
          <Words id={`line-${index + 1}`} name={`line:${index + 1}`} label={`Line ${index + 1}`} />
        </details>
      ),
    )}
  </div>
);
