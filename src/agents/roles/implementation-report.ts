import type { TaskDefinition } from '../../tasks/task.ts';
import type { Brief } from '../port.ts';
import type { ImplementAnswer, SteerTrace } from './answers.ts';
import { bulletList, criteriaTable, oneLine, section } from './markdown.ts';
import { summarize } from './messages.ts';
import type { Notes } from './passing.ts';

/** Part 1 of a report (session-format.md, Report): what one attempt did, written by the Executor. */
export const implementationReport = (
  brief: Brief,
  task: TaskDefinition,
  answer: ImplementAnswer,
  notes: Notes,
): string => {
  const attempt = brief.attempt ?? 1;
  const feedback = notes.messages.filter((message) => message.kind === 'RETRY');
  const steers = joinTraces(notes.steers, answer.steers);
  return [
    `---\ntask_id: ${task.id}\niteration: ${brief.iteration}\nattempt: ${attempt}\ncreated_at: ${brief.at ?? ''}\n---`,
    `# Task Report: ${task.id} [Attempt ${attempt}]`,
    '## PART 1: IMPLEMENTATION REPORT',
    ...(attempt > 1
      ? [
          section(
            'Rework Context',
            bulletList(
              feedback.map((message) => summarize(message.text, 400)),
              'Started anew.',
            ),
          ),
        ]
      : []),
    section('Objective Recap', oneLine(task.objective || task.title)),
    section('Success Criteria Status', criteriaTable(answer.criteria)),
    section(
      'Summary of Changes',
      bulletList([...steers.map(describeSteer), ...answer.summary], 'No declared file changed.'),
    ),
    ...(brief.iteration > 1
      ? [section('Feedback Context Applied', bulletList(answer.feedback_addressed, 'None.'))]
      : []),
    section('Verification Results', bulletList(answer.verification, 'Nothing was run.')),
    section('Discovered Tasks', bulletList(answer.discovered_tasks, 'None.')),
    section('Blockers', bulletList(answer.blockers, 'None.')),
    '',
  ].join('\n\n');
};

/** One line a STEER: what was done, and the evidence in brackets. */
export const describeSteer = (trace: SteerTrace): string => `${trace.action} (${trace.evidence})`;

/** Each STEER once; the later word about the same one counts. */
export const joinTraces = (
  earlier: readonly SteerTrace[],
  later: readonly SteerTrace[],
): readonly SteerTrace[] => [...new Map([...earlier, ...later].map((trace) => [trace.id, trace])).values()];
