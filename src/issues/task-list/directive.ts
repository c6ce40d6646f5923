import { type Issue, issueName } from '../issue.ts';
import type { FlowTask } from './flow-task.ts';
import { taskPhases } from './task-phase.ts';

/** The phase skill of each phase, by the name of its folder. */
export const skillOfPhase: Readonly<Record<FlowTask['phase'], string>> = {
  split: 'split',
  triage: 'triage',
  research: 'research',
  plan: 'plan',
  review: 'review',
  implement: 'impl',
  pr: 'pr',
  merge: 'merge',
};

/**
 * What a task asks for, in 6 to 8 lines: verb and issue, title, context, skill, report format. Values are literal, on one line each, and an empty line
 * goes (src/issues/README.md, Hero and team). It is written before the work begins: the states of the issues are in what the agent works from.
 */
export const directiveOf = (
  task: FlowTask,
  issues: readonly Pick<Issue, 'id' | 'number' | 'title' | 'state' | 'estimate' | 'url'>[],
  goal: string,
): string => {
  const keys = Object.keys(resultKeys[task.phase]);
  return [
    `${task.subject}.`,
    ...issues.map(
      ({ title, estimate, url, ...named }) =>
        `Issue ${issueName(named)}: ${oneLine(title)}${detailsOf([estimate, url])}`,
    ),
    goal === '' ? '' : `Context: ${oneLine(goal)}`,
    task.phase === 'plan' && issues.some(({ state }) => state === 'Backlog')
      ? 'Research: none was written. Find out first what the change touches, then plan it.'
      : '',
    `Role: ${taskPhases[task.phase].role}`,
    `Skill: ${skillOfPhase[task.phase]}`,
    `Report: ${keys.join(', ')}`,
  ]
    .filter((line) => line !== '')
    .join('\n');
};

/** What an agent hands in for each phase. The engine adds paths and addresses itself. */
const resultKeys: Readonly<Record<FlowTask['phase'], Readonly<Record<string, true>>>> = {
  split: { sub_tickets: true },
  triage: { action: true },
  research: { document: true, files: true },
  plan: { document: true, phase_count: true },
  review: { verdict: true, document: true },
  implement: { status: true },
  pr: { title: true, body: true },
  merge: { status: true },
};

const detailsOf = (parts: readonly (string | null | undefined)[]): string => {
  const known = parts.filter((part) => part !== undefined && part !== null);
  return known.length === 0 ? '' : ` (${known.join(', ')})`;
};

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
