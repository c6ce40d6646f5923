import { briefWord } from '../../words/task-status.ts';
import type { ViewState } from '../view.ts';
import { selectTasks } from './select-tasks.ts';

/** Failures for a headline: how many, and the first cause. */
interface Failures {
  /** "3 failed, 2 unreachable". */
  readonly counts: string;
  /** "install failed: uv: not found". */
  readonly cause: string;
}

/** `null` while nothing has failed for good. A loop continues after a failed turn, so it has none. */
export const selectFailures = (view: Pick<ViewState, 'session'>): Failures | null => {
  if (view.session?.mode === 'loop') return null;
  const { failed, firstFailed, lines, standing } = selectTasks(view);
  const first = lines.get(firstFailed ?? '');
  if (first === undefined) return null;
  const lost = standing.unreachable.size;
  return {
    counts: [`${failed} failed`, ...(lost > 0 ? [`${lost} unreachable`] : [])].join(', '),
    cause: `${first.id} failed${causeOf(first.word)}`,
  };
};

/** The error text, else the command and its exit: the panes show the rest. A clause: a reviewer's full stop is left out. */
const causeOf = (word: string): string => {
  const [, rest = ''] = /^failed: (?:review: )?(.*)$/s.exec(briefWord(word)) ?? [];
  const said = rest.replace(/^exit \d+: /, '').replace(/(?<!\.)\.$/, '');
  const command = /^exit \d+$/.test(said) ? /`(.+)` exited /s.exec(word)?.[1] : undefined;
  if (said === '') return '';
  return command === undefined ? `: ${said}` : `: ${command} ${said}`;
};
