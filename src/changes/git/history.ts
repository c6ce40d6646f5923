import { type Context, runGit } from '../context.ts';
import type { Step } from '../memory.ts';
import { textOf } from './git-text.ts';

/**
 * What happened on the session's branch. It is stored in trailers of the commits, so branch and record are one write and cannot disagree after a
 * crash.
 */
export const readHistory = async (context: Context, base: string, tip: string): Promise<readonly Step[]> => {
  if (base === tip) return [];
  const { history } = context;
  if (history.base !== base || history.tip !== tip)
    Object.assign(history, { base, tip, steps: await readSteps(context, base, tip) });
  return history.steps;
};

/** Remembers a step that was made on the tip as last read. */
export const rememberStep = ({ history }: Context, tip: string, step: Step): void => {
  if (history.tip === tip) Object.assign(history, { tip: step.commit, steps: [...history.steps, step] });
};

const readSteps = async (context: Context, base: string, tip: string): Promise<readonly Step[]> => {
  const out = await runGit(context, 'read the session branch', [
    'log',
    '--first-parent',
    '--reverse',
    '--format=%H%x00%P%x00%B%x00',
    `${base}..${tip}`,
  ]);
  const parts = textOf(out).split('\0');
  const steps: Step[] = [];
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const commit = (parts[at] ?? '').trim();
    const parents = (parts[at + 1] ?? '').split(' ').filter((parent) => parent !== '');
    for (const match of (parts[at + 2] ?? '').matchAll(trailer)) {
      const [, word = '', task = '', attempt = ''] = match;
      const what = word === 'Merged' ? 'merged' : word === 'Undone' ? 'undone' : 'redone';
      steps.push({ commit, parents, what, task, attempt: Number(attempt) });
    }
  }
  return steps;
};

const trailer = /^Ralph-(Merged|Undone|Redone): (\S+) (\d{1,9})$/gm;

/** The message of a commit on the session's branch. */
export const stepMessage = (
  session: string,
  subject: string,
  what: Step['what'],
  work: readonly { readonly task: string; readonly attempt: number }[],
): string => {
  const word = what === 'merged' ? 'Merged' : what === 'undone' ? 'Undone' : 'Redone';
  const lines = work.map(({ task, attempt }) => `Ralph-${word}: ${task} ${attempt}`);
  return `${subject}\n\nRalph-Session: ${session}\n${lines.join('\n')}`;
};

/** Merges that stand: not undone, or brought back since. Oldest merge first. */
export const standing = (steps: readonly Step[]): readonly Step[] => {
  const stand = new Map<string, Step>();
  const merges = new Map<string, Step>();
  for (const step of steps) {
    const key = `${step.task} ${step.attempt}`;
    if (step.what === 'merged') merges.set(key, step);
    const merge = merges.get(key);
    if (step.what === 'undone') stand.delete(key);
    else if (merge !== undefined) stand.set(key, merge);
  }
  return [...merges.values()].filter((step) => stand.get(`${step.task} ${step.attempt}`) === step);
};
