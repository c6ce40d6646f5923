import { safe, safeBlock } from '../base/safe.ts';
import { selectTask, selectTasks } from './select-tasks.ts';
import type { ViewState } from './view.ts';

/** A line of the Details tab before it is wrapped. */
export interface DetailLine {
  readonly kind: 'title' | 'heading' | 'text' | 'item' | 'good' | 'bad';
  readonly text: string;
}

/** What is known of the task one looks at: objective, criteria, both directions of the edges, attempts, files. */
export const selectDetails = (view: ViewState): readonly DetailLine[] => {
  const id = selectTask(view);
  const task = id === null ? undefined : view.session?.tasks.get(id);
  const table = selectTasks(view);
  if (id === null || task === undefined) return [{ kind: 'text', text: 'No task yet.' }];
  const { definition } = task;
  const line = table.lines.get(id);
  const tone =
    line?.look === 'failed' || line?.look === 'unreachable' ? 'bad' : line?.look === 'done' ? 'good' : 'text';
  return [
    { kind: 'title', text: `${id}  ${safe(definition.title)}` },
    {
      kind: tone,
      text: `${line?.word ?? task.status}${task.attempt > 0 ? ` · attempt ${task.attempt}` : ''}`,
    },
    ...section(
      'Objective',
      definition.objective === '' ? [] : safeBlock(definition.objective).split('\n'),
      'text',
    ),
    ...section('Success criteria', definition.criteria.map(safe), 'item'),
    ...section('Waits for', (table.graph.blockersOf.get(id) ?? []).map(withWord(table.lines)), 'item'),
    ...section('Holds up', (table.graph.dependantsOf.get(id) ?? []).map(withWord(table.lines)), 'item'),
    ...section(
      'Told to the next attempt',
      task.feedback.map((message) => safe(message.text)),
      'item',
    ),
    ...section('Declared files', definition.files.map(safe), 'item'),
    ...section('Changed by the last attempt', task.changed.map(safe), 'item'),
    ...section(
      'Commands',
      definition.run.map((command) => commandWords(command.cmd)),
      'item',
    ),
    ...section(
      'Verified by',
      definition.verify.map((command) => commandWords(command.cmd)),
      'item',
    ),
  ];
};

const commandWords = (command: string | readonly string[]): string =>
  safe(typeof command === 'string' ? command : command.join(' '));

const withWord =
  (lines: ReadonlyMap<string, { readonly word: string }>) =>
  (id: string): string =>
    `${id}  ${lines.get(id)?.word ?? ''}`;

const section = (heading: string, texts: readonly string[], kind: 'text' | 'item'): readonly DetailLine[] =>
  texts.length === 0
    ? []
    : [{ kind: 'heading', text: heading }, ...texts.map((text): DetailLine => ({ kind, text }))];
