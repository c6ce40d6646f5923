import type { ViewState } from '../store/view.ts';
import { type Command, type Context, labelOf } from './command.ts';
import { fuzzyScore } from './fuzzy.ts';
import { keysText, withoutTitle } from './help-rows.ts';
import { nameKeys } from './name-keys.ts';

/** One command in the palette. `why` is the reason it does nothing now. */
export interface PaletteRow {
  readonly command: Command;
  readonly keys: string;
  /** A few words, as in the footer. */
  readonly title: string;
  readonly what: string;
  readonly why: string | null;
}

/** The places where an overlay's commands work, as the reason why they do not here. */
const places: Partial<Record<Context, string>> = {
  compose: 'only while writing a message: {steer.steer}, {steer.info} or {steer.retry}',
  knowledge: 'only in the knowledge gate: {decide.open}',
  'knowledge-asking': 'only in the knowledge gate, after {knowledge.approve} or {knowledge.skip}',
  help: 'only in the help: {look.help}',
  'help-filter': 'only in the filter of the help: {look.help}, then {help.filter}',
  answer: 'only in a question: {decide.open}',
  permission: 'only where an agent asks for permission: {decide.open}',
  'needs-you': 'only in the list of what needs you: {decide.open}',
  confirm: 'only where something is asked',
  settled: 'only after a question was settled elsewhere',
  quit: 'only while leaving: {leave.quit}',
  end: 'only on the end screen: {end.show}',
  start: 'only on the start screen: {session.new}',
  trust: 'only where a plan is to be trusted: {session.new}',
  'move-issue': 'only where an issue is moved: {issues.move}',
  'plan-review': 'only where the plan of an issue waits for you: {decide.open}',
  'task-list': 'only where the tasks of an issue are listed: {session.new}',
  'ready-groups': 'only after `ralph-tui run --mode hero`',
  sessions: 'only in the list of sessions: {session.list}',
  signal: 'only in an opened signal: {look.open} in Inbox or Processed',
};

/**
 * Every command that matches the query. Without a query the available commands come first. Otherwise the best match comes first, and of
 * equal matches the available one.
 */
export const paletteRowsOf = (commands: readonly Command[], view: ViewState): readonly PaletteRow[] => {
  const overlay = view.ui.overlays.at(-1);
  const query = overlay?.kind === 'palette' ? overlay.editor.text.trim() : '';
  const below = withoutTop(view);
  // A command that an overlay shares with the panes is listed once.
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

/** The screen below the palette, which its command acts on. */
export const withoutTop = (view: ViewState): ViewState => ({
  ...view,
  ui: { ...view.ui, overlays: view.ui.overlays.slice(0, -1) },
});

/** Leaves out the palette itself, and the keys that close or move within an overlay. */
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
  const title = labelOf(command, view);
  return {
    command,
    keys: keysText(command),
    title,
    what: withoutTitle(command.description, title),
    why: able === true ? null : able,
  };
};

const placeOf = (context: Context): string => places[context] ?? `only where "${context}" is open`;
