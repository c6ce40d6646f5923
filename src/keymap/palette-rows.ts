import type { ViewState } from '../store/view.ts';
import type { Command, Context } from './command.ts';
import { fuzzyScore } from './fuzzy.ts';
import { keysText } from './help-rows.ts';
import { nameKeys } from './name-keys.ts';

/** One command in the palette; `why` says what stands in the way just now. */
export interface PaletteRow {
  readonly command: Command;
  readonly keys: string;
  readonly what: string;
  readonly why: string | null;
}

/** Where the commands of an overlay can be had, as the reason why they cannot here. */
const places: Partial<Record<Context, string>> = {
  compose: 'only while writing a message: {steer.steer}, {steer.info} or {steer.retry}',
  knowledge: 'only in the knowledge gate: {decide.open}',
  'knowledge-asking': 'only in the knowledge gate, after {knowledge.approve} or {knowledge.skip}',
  answer: 'only in a question: {decide.open}',
  'needs-you': 'only in the list of what needs you: {decide.open}',
  confirm: 'only where something is asked',
  quit: 'only while leaving: {leave.quit}',
  end: 'only on the end screen: {end.show}',
  start: 'only on the start screen: {arrive.new}',
  trust: 'only where a plan is to be trusted: {arrive.new}',
  sessions: 'only in the list of sessions: {arrive.sessions}',
  signal: 'only in an opened signal: {look.open} in Inbox or Processed',
};

/**
 * Every command that fits what was typed. With nothing typed, what can be done here comes first; else the best fit does, and of equals what
 * can be done.
 */
export const paletteRowsOf = (commands: readonly Command[], view: ViewState): readonly PaletteRow[] => {
  const overlay = view.ui.overlays.at(-1);
  const query = overlay?.kind === 'palette' ? overlay.editor.text.trim() : '';
  const below = withoutTop(view);
  // What an overlay offers as well as the panes is told once.
  const hereToo = new Set(
    commands.filter(({ context }) => context === 'main').map(({ description }) => description),
  );
  return commands
    .filter((command) => listed(command) && (command.context !== 'replay' || below.replay !== null))
    .filter((command) => onPanes(command.context) || !hereToo.has(command.description))
    .map((command) => ({ command, row: rowOf(commands, command, below), score: scoreOf(query, command) }))
    .filter((found) => found.score !== null)
    .sort(
      (a, b) =>
        (query === '' ? 0 : (b.score ?? 0) - (a.score ?? 0)) ||
        Number(a.row.why !== null) - Number(b.row.why !== null) ||
        (a.command.footer ?? 99) - (b.command.footer ?? 99),
    )
    .map(({ row }) => row);
};

/** The screen as it is once the palette is closed: what its command acts upon. */
export const withoutTop = (view: ViewState): ViewState => ({
  ...view,
  ui: { ...view.ui, overlays: view.ui.overlays.slice(0, -1) },
});

/** Closing and moving within an overlay are nothing one looks up, and the palette does not open itself. */
const listed = (command: Command): boolean =>
  command.id !== 'look.palette' &&
  command.context !== 'palette' &&
  (onPanes(command.context) || (command.group !== 'Leave' && command.group !== 'Move'));

const onPanes = (context: Context): boolean => context === 'main' || context === 'replay';

const scoreOf = (query: string, command: Command): number | null =>
  query === '' ? 0 : fuzzyScore(query, `${command.description} ${command.id}`);

const rowOf = (commands: readonly Command[], command: Command, view: ViewState): PaletteRow => {
  const able = onPanes(command.context)
    ? command.available(view)
    : nameKeys(placeOf(command.context), commands);
  return {
    command,
    keys: keysText(command),
    what: command.description,
    why: able === true ? null : able,
  };
};

const placeOf = (context: Context): string => places[context] ?? `only where "${context}" is open`;
