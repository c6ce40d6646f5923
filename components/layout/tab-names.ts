import { keyFor } from '../../src/keymap/table.ts';
import { type PlaceName, paneNamed, panes, tabNames } from '../../src/store/panes/index.ts';
import type { Pane } from '../../src/store/panes/pane.ts';
import { selectShownTasks } from '../../src/store/tasks/select-shown-tasks.ts';
import type { ViewState } from '../../src/store/view.ts';
import { widthOf } from '../../src/words/width.ts';
import { bold, type Line, span } from '../parts/span.ts';

/** The title of a place: the name of its pane, or its tabs with the open one in brackets. */
export const titleOf = (
  view: ViewState,
  places: readonly PlaceName[],
  shown: PlaceName,
  width: number,
): Line => {
  const entries = panes.filter((pane) => places.includes(pane.name));
  if (entries.length === 1) return [bold(entries[0]?.title ?? '')];
  const names = namesWithin(view, entries, shown, width);
  return entries.flatMap((entry, index) => {
    const name = names[index] ?? null;
    if (name === null) return [];
    return [
      span(index === 0 ? '' : ' '),
      {
        ...(entry.name === shown ? bold(`[${name}]`, 'accent') : span(name)),
        target: { kind: 'tab', pane: entry.name },
      },
    ];
  });
};

/** Cells of the title line that names these tabs best within `most` cells, with room for a note. */
export const tabsRoom = (
  view: ViewState,
  places: readonly PlaceName[],
  shown: PlaceName,
  most: number,
): number => {
  const entries = panes.filter((pane) => places.includes(pane.name));
  const names = namesWithin(view, entries, shown, most);
  return Math.min(most, widthOfTabs(names) + Math.max(1, noteRoom(view, shown)));
};

/** Cells that the title of one pane cannot do without. */
export const leastTitle = (view: ViewState, name: PlaceName): number => {
  const { title, note } = paneNamed(name);
  const least = note(view, 0);
  const noteWidth = least.reduce((sum, { text }) => sum + widthOf(text), least.length === 0 ? 0 : 3);
  return widthOf(title) + 4 + noteWidth;
};

/** The name of each tab; `null` for one that gives way. */
type Names = readonly (string | null)[];

/** The best names within `width` cells. A usual note gives way before the names do, one that must be seen does not. */
const namesWithin = (view: ViewState, entries: readonly Pane[], shown: PlaceName, width: number): Names => {
  const { full, short, keys } = tabForms(view, entries, shown);
  const fits = (form: Names): boolean => widthOfTabs(form) <= width;
  const besideNote = (form: Names): boolean => widthOfTabs(form) <= width - noteRoom(view, shown);
  const named = full.find(besideNote) ?? (mustSee(view, shown) ? undefined : full.find(fits));
  if (named !== undefined) return named;
  return short.find(besideNote) ?? (mustSee(view, shown) ? undefined : short.find(fits)) ?? keys;
};

interface TabForms {
  /** All of them; then without Issues, while it has nothing to show and none is worked on. */
  readonly full: readonly Names[];
  readonly short: readonly Names[];
  readonly keys: Names;
}

/**
 * How the tabs may be named: all in full, all in short, or by their keys alone. Never a mixture, and always with the keys, so that a tab
 * keeps its name while the note beside it changes.
 */
const tabForms = (view: ViewState, entries: readonly Pane[], shown: PlaceName): TabForms => {
  const keyOf = ({ name }: Pane): string => (digits.includes(name) ? keyFor(view, `look.${name}`) : '');
  const named = (entry: Pane, name: string): string =>
    [keyOf(entry), `${name}${entry.badge(view)}`, hiddenTasks(view, entry, shown)]
      .filter((part) => part !== '')
      .join(' ');
  const says = (entry: Pane): boolean =>
    entry.name !== 'issues' ||
    entry.name === shown ||
    entry.empty(view) === null ||
    view.session?.mode === 'flow';
  const forms = (nameOf: (entry: Pane) => string): readonly Names[] => [
    entries.map(nameOf),
    entries.map((entry) => (says(entry) ? nameOf(entry) : null)),
  ];
  return {
    full: forms((entry) => named(entry, entry.title)),
    short: forms((entry) => named(entry, entry.short)),
    keys: entries.map((entry) => {
      const key = keyOf(entry);
      return entry.name === shown || key === '' ? named(entry, entry.short) : key;
    }),
  };
};

/** A screen of one pane shows nowhere else that some tasks are hidden. */
const hiddenTasks = (view: ViewState, entry: Pane, shown: PlaceName): string =>
  entry.name === 'tasks' && shown === 'tasks' ? selectShownTasks(view).narrowed : '';

/** The tabs with a blank between them, the brackets of the open one, a blank on either side and the beginning of the rule. */
const widthOfTabs = (names: Names): number => widthOf(names.filter((name) => name !== null).join(' ')) + 5;

/** Cells kept for the note at the end of the line. The same for every usual note: the tabs stay as they are while it changes. */
const noteRoom = (view: ViewState, shown: PlaceName): number => {
  const note = paneNamed(shown).note(view, 0);
  if (note.length === 0) return 0;
  return mustSee(view, shown) ? note.reduce((sum, { text }) => sum + widthOf(text), 4) : 11;
};

const mustSee = (view: ViewState, shown: PlaceName): boolean =>
  paneNamed(shown)
    .note(view, 0)
    .some(({ tone }) => tone === 'held');

/** The panes behind the digits, in order. */
const digits: readonly string[] = [...tabNames, 'inbox', 'processed'];
