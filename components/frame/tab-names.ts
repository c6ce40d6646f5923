import { widthOf } from '../../src/words/width.ts';
import { answersHere } from '../answer/here-commands.ts';
import { bold, type Line, span } from '../draw/span.ts';
import type { Pane, PaneNote } from '../pane/pane.ts';
import { type PlaceName, paneNamed, panes, tabNames } from '../panes.ts';
import { keyFor } from '../table.ts';
import { selectShownTasks } from '../tasks/select-shown-tasks.ts';
import type { ViewState } from '../view.ts';

/** The title of a place: the name of its pane, or its tabs with the open one in brackets. */
export const titleOf = (
  view: ViewState,
  places: readonly PlaceName[],
  shown: PlaceName,
  width: number,
): Line => {
  const entries = tabsOf(view, places, shown);
  if (entries.length === 1) return [bold(entries[0]?.title ?? '')];
  const names = namesWithin(view, entries, shown, width);
  return entries.flatMap((entry, index) => {
    const name = names[index] ?? '';
    return [
      span(index === 0 ? '' : ' '),
      {
        ...(entry.name === shown ? bold(`[${name}]`, 'accent') : span(name)),
        target: { kind: 'tab', pane: entry.name },
      },
    ];
  });
};

/** The panes of a place. Without Issues, while it has nothing to show and none is worked on. */
const tabsOf = (view: ViewState, places: readonly PlaceName[], shown: PlaceName): readonly Pane[] =>
  panes.filter(
    (pane) =>
      places.includes(pane.name) &&
      (pane.name !== 'issues' ||
        pane.name === shown ||
        pane.empty(view) === null ||
        view.session?.mode === 'flow'),
  );

/** Cells of the title line that names these tabs best within `most` cells, with room for a note. */
export const tabsRoom = (
  view: ViewState,
  places: readonly PlaceName[],
  shown: PlaceName,
  most: number,
): number => {
  const names = namesWithin(view, tabsOf(view, places, shown), shown, most);
  return Math.min(most, widthOfTabs(names) + Math.max(1, noteRoom(noteBeside(view, shown, 0))));
};

/** Cells that the title of one pane cannot do without. Its progress, which the header shows too, gives way. */
export const leastTitle = (view: ViewState, name: PlaceName): number => {
  const note = paneNamed(name).note(view, 0);
  const least = mustSee(note) ? widthOfNote(note) - 2 : 0;
  return widthOf(paneNamed(name).title) + 4 + least;
};

/** The name of each tab. */
type Names = readonly string[];

/** The best names within `width` cells. A usual note and the marks give way before the names do, a note that must be seen does not. */
const namesWithin = (view: ViewState, entries: readonly Pane[], shown: PlaceName, width: number): Names => {
  const note = noteBeside(view, shown, 0);
  const usual = width - noteRoom(note);
  const rooms = mustSee(note) ? [width - widthOfNote(note), usual] : [usual, width];
  for (const naming of namings(view, entries, shown)) {
    const names = naming();
    if (rooms.some((room) => widthOfTabs(names) <= room)) return names;
  }
  return keysOf(view, entries, shown);
};

/**
 * How the tabs may be named, the best first, made as they are asked for: in full, without their counts, with short names of the lists beside them,
 * with the keys of these lists alone, in short. Always with the keys, so that a tab keeps its name while the note beside it changes.
 */
const namings = (view: ViewState, entries: readonly Pane[], shown: PlaceName): readonly (() => Names)[] => {
  const form = (nameOf: (entry: Pane) => string) => (): Names =>
    entries.map((entry) =>
      [keyOf(view, entry), nameOf(entry), hiddenTasks(view, entry, shown)]
        .filter((part) => part !== '')
        .join(' '),
    );
  const isBrief = (entry: Pane): boolean => entry.name !== shown && keyOf(view, entry) !== '';
  const listName = (entry: Pane): string => (isBrief(entry) ? '' : entry.short);
  return [
    form((entry) => `${entry.title}${entry.badge(view)}`),
    form((entry) => `${entry.title}${callOf(view, entry)}`),
    form((entry) => `${beside.includes(entry.name) ? entry.short : entry.title}${callOf(view, entry)}`),
    form((entry) =>
      `${beside.includes(entry.name) ? listName(entry) : entry.title}${callOf(view, entry)}`.trim(),
    ),
    form((entry) => `${entry.short}${entry.badge(view)}`),
    form((entry) => `${entry.short}${callOf(view, entry)}`),
  ];
};

/** The mark of a tab if it calls a person: "?2", "!1". A mere count gives way. */
const callOf = (view: ViewState, entry: Pane): string => /^ [?!].*|$/.exec(entry.badge(view))?.[0] ?? '';

/** Tabs that stand beside those of the chosen task, and may have short names where there is little room. */
const beside: readonly string[] = ['tasks', 'issues', 'inbox', 'processed'] satisfies readonly PlaceName[];

/** The keys alone, with the name of the open tab. */
const keysOf = (view: ViewState, entries: readonly Pane[], shown: PlaceName): Names =>
  entries.map((entry) => {
    const key = keyOf(view, entry);
    if (entry.name !== shown && key !== '') return key;
    return [key, `${entry.short}${entry.badge(view)}`, hiddenTasks(view, entry, shown)]
      .filter((part) => part !== '')
      .join(' ');
  });

const keyOf = (view: ViewState, { name }: Pane): string =>
  digits.includes(name) && !answersHere(view, digits.indexOf(name)) ? keyFor(view, `look.${name}`) : '';

/** A screen of one pane shows nowhere else that some tasks are hidden. */
const hiddenTasks = (view: ViewState, entry: Pane, shown: PlaceName): string =>
  entry.name === 'tasks' && shown === 'tasks' ? selectShownTasks(view).narrowed : '';

/** The tabs with a blank between them, the brackets of the open one, a blank on either side and the beginning of the rule. */
const widthOfTabs = (names: Names): number => widthOf(names.join(' ')) + 5;

/** The note beside tabs. What the open tab says itself is not said again. */
export const noteBeside = (view: ViewState, shown: PlaceName, width: number): readonly PaneNote[] =>
  hiddenTasks(view, paneNamed(shown), shown) === '' ? paneNamed(shown).note(view, width) : [];

/** Cells kept for the note at the end of the line. The same for every note: the tabs stay as they are while it changes. */
const noteRoom = (note: readonly PaneNote[]): number => (widthOfNote(note) === 0 ? 0 : 11);

/** Cells that the note fills, with the rule and the blanks around it. */
const widthOfNote = (note: readonly PaneNote[]): number =>
  note.reduce((sum, { text }) => sum + widthOf(text), note.length === 0 ? 0 : 5);

/** Whether the note says what one would not expect to see in this pane. */
const mustSee = (note: readonly PaneNote[]): boolean => note.some(({ tone }) => tone === 'held');

/** The panes behind the digits, in order. */
const digits: readonly string[] = [...tabNames, 'inbox', 'processed'];
