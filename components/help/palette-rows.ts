import { type Command, type Context, labelOf, reasonNot } from '../command.ts';
import { nameKeys } from '../keys/name-keys.ts';
import type { ViewState } from '../view.ts';
import { fuzzyScore, partScore } from './fuzzy.ts';
import { keysText, withoutTitle } from './help-rows.ts';

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
  compose: 'only while writing a message: {steer.steer} {steer.info} {steer.retry}',
  knowledge: 'only at the knowledge gate: {decide.open}',
  'knowledge-asking': 'only at the knowledge gate, after {knowledge.approve} or {knowledge.skip}',
  help: 'only in the help: {look.help}',
  'help-filter': 'only in the help filter: {look.help}, then {help.filter}',
  answer: 'only for questions: {decide.open}',
  'answer-choice': 'only for questions with choices: {decide.open}',
  here: 'only while something waits for you',
  permission: 'only in a permission request: {decide.open}',
  'needs-you': 'only in the list of what needs you: {decide.open}',
  confirm: 'only in a confirmation',
  settled: 'only after a question has been answered elsewhere',
  quit: 'only while quitting: {leave.quit}',
  end: 'only on the end screen: {end.show}',
  start: 'only on the start screen: {session.new}',
  trust: 'only before a plan starts: {session.new}',
  critical: 'only after a scan found something: {session.new}',
  form: 'only in a form: {guidance.open}',
  'form-words': 'only in a form: {guidance.open}',
  prompt: 'only while searching: {read.search}',
  talk: 'only in a skill conversation',
  'move-issue': 'only while moving an issue: {issues.move}',
  'plan-review': 'only while reviewing a plan: {decide.open}',
  'task-list': 'only in the task list before a start: {session.new}',
  'ready-groups': 'only after `ralph-tui run --mode hero`',
  sessions: 'only in the list of sessions: {session.list}',
  signal: 'only in an open signal: {look.open}',
  runners: 'only in the list of runners',
  serve: 'only in the window of serve',
  statistics: 'only in the statistics: {session.statistics}',
};

/**
 * Every command that matches the query: those that can be used now, the best match first, then the others with the reason. A match in the title is
 * better than one in the sentence. Of equal matches, and without a query, the order of the footer counts.
 */
export const paletteRowsOf = (commands: readonly Command[], view: ViewState): readonly PaletteRow[] => {
  const overlay = view.ui.overlays.at(-1);
  const query = overlay?.kind === 'palette' ? overlay.editor.text.trim() : '';
  const below = withoutTop(view);
  // A command that an overlay shares with the panes is listed once.
  const hereToo = new Set(
    commands.filter(({ context }) => context === 'main').map(({ description }) => description),
  );
  const rows = commands
    .filter((command) => listed(command) && (command.context !== 'replay' || below.replay !== null))
    .filter((command) => onPanes(command.context) || !hereToo.has(command.description))
    .map((command) => rowOf(commands, command, below));
  return matching(rows, query)
    .sort(
      (a, b) =>
        Number(a.row.why !== null) - Number(b.row.why !== null) ||
        b.score - a.score ||
        rankOf(a.row.command, below) - rankOf(b.row.command, below),
    )
    .map(({ row }) => row);
};

/** Its place in the footer; behind all others where it most likely has nothing to do now. */
const rankOf = ({ footer = 99, offered }: Command, view: ViewState): number =>
  (offered?.(view) ?? true) === true ? footer : 99;

interface Scored {
  readonly row: PaletteRow;
  readonly score: number;
}

/** Letters that are too few to look for in a sentence: "th" is in every "the". */
const fewLetters = 2;

/** The best score of a match in a sentence is below it, for each word of a query. */
const inTitle = 1_000;

/** The rows that have the words of the query. Scattered letters count only when no row has them. */
const matching = (rows: readonly PaletteRow[], query: string): Scored[] => {
  const scored = (scoreOf: (row: PaletteRow) => number | null): Scored[] =>
    rows.flatMap((row) => {
      const score = scoreOf(row);
      return score === null ? [] : [{ row, score }];
    });
  const titles = scored(({ title }) => partScore(query, title));
  if (query.length <= fewLetters && titles.length > 0) return titles;
  const parts = scored((row) => {
    const score = partScore(query, textOf(row));
    return score === null || partScore(query, row.title) === null ? score : score + inTitle;
  });
  return parts.length > 0 ? parts : scored((row) => fuzzyScore(query, textOf(row)));
};

const textOf = ({ title, what }: PaletteRow): string => `${title} ${what}`;

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

const onPanes = (context: Context): boolean =>
  context === 'main' || context === 'replay' || context === 'everywhere';

const rowOf = (commands: readonly Command[], command: Command, view: ViewState): PaletteRow => {
  const why = onPanes(command.context)
    ? reasonNot(command, view)
    : nameKeys(placeOf(command.context), commands);
  const title = labelOf(command, view);
  return {
    command,
    keys: keysText(command),
    title,
    what: withoutTitle(command.description, title),
    why,
  };
};

const placeOf = (context: Context): string => places[context] ?? `only where "${context}" is open`;
