/** @jsxImportSource hono/jsx */

import { count } from '../../words/local-time.ts';
import { lookSigns } from '../../words/look-signs.ts';
import type { PageAttempt, PageTask } from '../model/page-task.ts';
import type { Step } from '../model/steps.ts';
import { taskAnchor } from './anchors.ts';
import { Diff } from './diff.tsx';
import { Paragraphs, RichText } from './rich-text.tsx';
import { clockTime, elapsed } from './words.ts';

/** One task: a row, and everything about it when it is opened. A link to its anchor opens it. */
export const TaskCard = ({
  task,
  index,
  offset,
  anchorOf,
  open = task.look === 'failed' || task.look === 'asks',
}: {
  readonly task: PageTask;
  readonly index: number;
  readonly offset: number;
  /** The anchor of another task; `null` when it is unknown. */
  readonly anchorOf: (id: string) => string | null;
  readonly open?: boolean;
}) => {
  const [sign, , tone] = lookSigns[task.look];
  const tries = task.attempts.length;
  return (
    <details class={`task ${tone}`} open={open}>
      <summary>
        <span class={`sign ${tone}`} aria-hidden="true">
          {sign}
        </span>
        <span class="id">{task.id}</span>
        <span class="title">{task.title}</span>
        <span class={`word ${tone}`}>{task.word}</span>
        <span class="facts">
          {[
            tries > 1 ? count(tries, 'attempt') : '',
            task.tookMs === null ? '' : elapsed(task.tookMs),
            task.used,
          ]
            .filter((part) => part !== '')
            .join(' · ')}
        </span>
      </summary>
      <div id={taskAnchor(index)} class="body">
        <Paragraphs lines={task.objective} />
        <Edges task={task} anchorOf={anchorOf} />
        {task.criteria.length === 0 ? null : (
          <section>
            <h4>Success criteria</h4>
            <ul class="criteria">
              {task.criteria.map(({ text, verdict }) => (
                <li class={verdict === 'met' ? 'good' : verdict === 'not met' ? 'bad' : ''}>
                  {text}
                  {verdict === null ? null : <span class="verdict"> {verdict}</span>}
                </li>
              ))}
            </ul>
          </section>
        )}
        {task.attempts.length === 0 ? null : <h4>Attempts</h4>}
        {task.attempts.map((attempt) => (
          <AttemptPart attempt={attempt} offset={offset} />
        ))}
        {task.diff.length === 0 ? null : (
          <section>
            <h4>Changes</h4>
            <Diff files={task.diff} open={task.diff.length <= 3 ? 3 : 0} />
          </section>
        )}
        {task.report.length === 0 ? null : (
          <details class="report">
            <summary>Report of the last attempt</summary>
            <RichText lines={task.report} />
          </details>
        )}
      </div>
    </details>
  );
};

const Edges = ({
  task,
  anchorOf,
}: {
  readonly task: PageTask;
  readonly anchorOf: (id: string) => string | null;
}) => {
  const link = (id: string) => {
    const anchor = anchorOf(id);
    return anchor === null ? <code>{id}</code> : <a href={`#${anchor}`}>{id}</a>;
  };
  const rows: readonly (readonly [label: string, values: readonly unknown[]])[] = [
    ['Waits for', task.blockedBy.map(link)],
    ['Blocks', task.blocks.map(link)],
    ['Part of', task.partOf === null ? [] : [link(task.partOf)]],
    ['Split into', task.replacedBy.map(link)],
    ['Agent', task.agent === null ? [] : [task.agent]],
    ['Files', task.declaredFiles.map((file) => <code>{file}</code>)],
    ['Runs', task.commands.map((command) => <code>{command}</code>)],
    ['Verified by', task.verify.map((command) => <code>{command}</code>)],
  ];
  return (
    <dl class="edges">
      {rows
        .filter(([, values]) => values.length > 0)
        .map(([label, values]) => (
          <div>
            <dt>{label}</dt>
            <dd>
              {values.map((value) => (
                <span>{value}</span>
              ))}
            </dd>
          </div>
        ))}
    </dl>
  );
};

const outcomeTone: { readonly [outcome in PageAttempt['outcome']]: string } = {
  running: 'now',
  'in review': 'held',
  done: 'done',
  failed: 'failed',
  interrupted: 'held',
  escalated: 'held',
  cancelled: 'secondary',
};

const AttemptPart = ({ attempt, offset }: { readonly attempt: PageAttempt; readonly offset: number }) => (
  <div class="attempt">
    <p>
      <strong>Attempt {attempt.number}</strong>{' '}
      <span class={`word ${outcomeTone[attempt.outcome]}`}>{attempt.outcome}</span>
      <span class="facts">
        {clockTime(attempt.startedAt, offset)}
        {attempt.tookMs === null ? '' : ` · ${elapsed(attempt.tookMs)}`}
      </span>
    </p>
    {attempt.reason === null || attempt.reason === '' ? null : <p class="reason">{attempt.reason}</p>}
    {attempt.steers.map((steer) => (
      <p class="steer">Steered: {steer}</p>
    ))}
    {attempt.steps.length === 0 ? null : (
      <ol class="steps">
        {attempt.steps.map((step) => (
          <StepLine step={step} />
        ))}
        {attempt.stepsLeftOut === 0 ? null : (
          <li class="quiet">{count(attempt.stepsLeftOut, 'more step')} not shown</li>
        )}
      </ol>
    )}
    {attempt.output === null || attempt.output === '' ? null : (
      <pre class="output" tabindex={0} role="region" aria-label={`Output of attempt ${attempt.number}`}>
        {attempt.output}
      </pre>
    )}
  </div>
);

const StepLine = ({ step }: { readonly step: Step }) => (
  <li class={step.ok === false ? 'bad' : step.ok === true ? 'good' : ''}>
    {step.kind === 'tool' ? step.text : <code>{step.text}</code>}
    {step.kind === 'verify' ? <span class="quiet"> check</span> : null}
    {step.ok === false ? <span class="word failed"> {step.failed ?? 'failed'}</span> : null}
    {step.ms === null ? null : <span class="facts">{elapsed(step.ms)}</span>}
  </li>
);
