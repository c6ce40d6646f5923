/** @jsxImportSource hono/jsx */
import type { DiffFileModel } from '../../page/model/page-changes.ts';
import type { PageTask } from '../../page/model/page-task.ts';
import { TaskCard } from '../../page/render/task-card.tsx';
import { openQuestions } from '../../pipeline/questions/open-questions.ts';
import type { SessionState } from '../../pipeline/state.ts';
import { Form, SayWays, Words } from './form.tsx';
import { page, type Viewer } from './layout.tsx';
import { Answer } from './need-card.tsx';

/** Lines of a diff that can be commented on. */
const mostLines = 600;

interface Shown {
  readonly root: string;
  readonly base: string;
  readonly session: SessionState;
  readonly viewer: Viewer;
  readonly offset: number;
}

/** One task with all that is known of it, its review where one is due, and the ways to steer it. `id`: as the session knows it. */
export const taskPage = (
  { root, base, session, viewer, offset }: Shown,
  id: string,
  task: PageTask,
): string => {
  const review = openQuestions(session).find(
    (question) => question.kind === 'review' && question.task === id,
  );
  return page(
    root,
    task.title,
    <main id="main">
      <p class="crumbs">
        <a href={base}>Back to the session</a>
      </p>
      <h1>{task.title}</h1>
      {review === undefined ? null : (
        <section class="needs" aria-labelledby="review-head">
          <h2 id="review-head">Your review</h2>
          <p>{review.text}</p>
          <Answer base={base} session={session} request={review.request}>
            <Commented files={task.diff} />
          </Answer>
        </section>
      )}
      <div class="tasks">
        <TaskCard task={task} index={0} offset={offset} anchorOf={() => null} open={true} />
      </div>
      {viewer.scope === 'watch' ? null : <TaskControls base={base} id={id} />}
    </main>,
    viewer,
  );
};

const TaskControls = ({ base, id }: { readonly base: string; readonly id: string }) => (
  <section aria-labelledby="steer-head" class="controls">
    <h2 id="steer-head">Steer this task</h2>
    <Form base={base} task={id}>
      <Words id="task" label="A message to its agent" />
      <SayWays>
        <button type="submit" name="do" value="retry">
          Retry
        </button>
        <button type="submit" name="do" value="cancel">
          Cancel the task
        </button>
      </SayWays>
    </Form>
  </section>
);

/** The changed lines, each with a field for a comment. */
const Commented = ({ files }: { readonly files: readonly DiffFileModel[] }) => {
  let left = mostLines;
  return (
    <div class="lines">
      {files.map(({ path, lines }) => {
        const shown = lines.filter(({ kind }) => kind !== 'note').slice(0, Math.max(0, left));
        left -= shown.length;
        return (
          <>
            <h3 class="path">{path}</h3>
            {shown.map(({ kind, after, text }) =>
              after === 0 || kind === 'hunk' ? (
                <pre class={kind}>{kind === 'removed' ? `- ${text}` : text}</pre>
              ) : (
                <details class={`line ${kind}`}>
                  <summary>
                    <code>{kind === 'added' ? `+ ${text}` : `  ${text}`}</code>
                  </summary>
                  <Words
                    id={`diff-${path}-${after}`}
                    name={`diff:${after}:${path}`}
                    label={`Line ${after}`}
                  />
                </details>
              ),
            )}
          </>
        );
      })}
    </div>
  );
};
