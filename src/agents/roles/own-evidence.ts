import { shows } from '../../tasks/commands.ts';
import type { TaskDefinition } from '../../tasks/task.ts';
import type { Criterion } from '../answers.ts';
import { type CommandResult, describeResult } from '../command-result.ts';

/**
 * The verdict on each success criterion of the task, in its order. A criterion is met only by evidence of its own: one that the answer does not name,
 * or calls met without saying what shows it, was not checked. Criteria that only the answer names come last.
 */
export const onOwnEvidence = (
  criteria: readonly string[],
  given: readonly Criterion[],
): readonly Criterion[] => {
  // An agent that words all of them again keeps their order.
  const isInOrder = given.length === criteria.length;
  const used = new Set<Criterion>();
  const known = criteria.map((criterion, index): Criterion => {
    const named = given.find((each) => plain(each.criterion) === plain(criterion));
    const found = named ?? (isInOrder ? given[index] : undefined);
    if (found === undefined)
      return { criterion, status: 'not checked', evidence: 'the answer does not name it' };
    used.add(found);
    return shown({ ...found, criterion });
  });
  return [...known, ...given.filter((each) => !used.has(each)).map(shown)];
};

/** The results of the `verify` commands that name a criterion (`shows`), or that it quotes. */
export const resultsFor = (
  criterion: string,
  { verify }: TaskDefinition,
  results: readonly CommandResult[],
): readonly CommandResult[] =>
  results.filter((result, index) => {
    const command = verify[index];
    return criterion.includes(result.text) || (command !== undefined && shows(command, criterion));
  });

/** With the proof of code: a missing file, against the words of an agent, and for criteria without a judgement also `verify` commands that passed. */
export const withProof = (
  task: TaskDefinition,
  judged: readonly Criterion[],
  looked: readonly Criterion[],
  results: readonly CommandResult[],
): readonly Criterion[] =>
  judged.map((each) => {
    const seen = looked.find(({ criterion }) => criterion === each.criterion);
    if (seen?.status === 'not met') return seen;
    if (each.status !== 'not checked') return each;
    const own = resultsFor(each.criterion, task, results);
    return own.length > 0 && own.every(({ ok }) => ok)
      ? { ...each, status: 'met', evidence: own.map(describeResult).join(', ') }
      : (seen ?? each);
  });

/** The criteria of the task that nothing shows. */
export const uncheckedIn = (
  { criteria }: Pick<TaskDefinition, 'criteria'>,
  status: Readonly<Record<string, Criterion['status']>>,
): readonly string[] => criteria.filter((criterion) => status[criterion] === 'not checked');

/**
 * The criteria that the answer itself calls not met, a sentence each: those of the task, in its words or others, and those that only the answer names.
 * Work with one of them is not done, whatever the answer concludes.
 */
export const unmetIn = (judged: readonly Criterion[]): readonly string[] =>
  judged
    .filter(({ status }) => status === 'not met')
    .map(
      ({ criterion, evidence }) =>
        `"${criterion}" is not met${evidence.trim() === '' ? '' : `: ${evidence}`}`,
    );

const shown = (criterion: Criterion): Criterion =>
  criterion.status === 'met' && criterion.evidence.trim() === ''
    ? { ...criterion, status: 'not checked', evidence: 'marked met without evidence' }
    : criterion;

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[`"'’.\s]+/gu, ' ')
    .trim();
