import { type Command, type Context, terminal } from '../command.ts';
import type { InLines } from '../in-lines.ts';
import { selectCopy } from '../select-copy.ts';
import type { ViewState } from '../view.ts';

const filesNamed: InLines = {
  instead: 'copy the printed text; `logs`, `signals` and `report` name the files',
};

const nothing = 'There is nothing to copy here';

const copying = (context: Context, key: string, what: 'text' | 'path', description: string): Command => ({
  id: `${context === 'main' ? 'look' : context}.copy-${what}`,
  context,
  keys: [key],
  label: what === 'text' ? 'copy' : 'copy path',
  description,
  group: 'Look',
  inLines: filesNamed,
  available: (view: ViewState) => {
    const copied = selectCopy(view);
    if (copied[what] !== null) return true;
    return (what === 'path' ? copied.why : undefined) ?? nothing;
  },
  run: (view: ViewState) => {
    const text = selectCopy(view)[what];
    return text === null ? [] : [terminal({ type: 'copy', text })];
  },
});

const opening = (context: Context): Command => ({
  id: `${context === 'main' ? 'look' : context}.open-in-editor`,
  context,
  // A lesson will be the person's own text: at the gate `e` edits it before it is kept.
  keys: context === 'knowledge' ? ['e', 'o'] : ['o'],
  ...(context === 'knowledge' ? { footer: 4 } : {}),
  label: context === 'knowledge' ? 'edit' : 'editor',
  description:
    context === 'knowledge'
      ? 'edit the lesson in $EDITOR before it is kept'
      : "open the item's file in $EDITOR: the log, the task, the signal, a changed file at its line",
  group: 'Look',
  inLines: filesNamed,
  available: (view: ViewState) => {
    const { path, why = 'There is no file to open here' } = selectCopy(view);
    return path === null ? why : true;
  },
  run: (view: ViewState) => {
    const { path, line } = selectCopy(view);
    return path === null ? [] : [terminal({ type: 'open', path, ...(line === undefined ? {} : { line }) })];
  },
});

/** Keys that copy or open the selected item. */
export const copyCommands: readonly Command[] = (['main', 'signal', 'knowledge'] as const).flatMap(
  (context) => [
    copying(context, 'c', 'text', 'copy the text of the item; in Output, the command and its output'),
    copying(context, 'C', 'path', "copy the path of the item's file"),
    opening(context),
  ],
);
