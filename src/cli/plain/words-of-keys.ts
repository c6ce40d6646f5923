import { type Command, labelOf } from '../../../components/command.ts';
import { commands } from '../../../components/commands.ts';
import { initialView } from '../../../components/create-store.ts';
import { verbs } from './verbs.ts';

/** A key's replacement in lines: a word of the prompt, or the reason why it has none. */
interface WordOfKey {
  readonly command: Command;
  readonly what: string;
  readonly word: string | null;
  readonly why: string;
}

/** Reasons why a command has no word; the first whose pattern matches the command's id counts. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:needs|here)\./,
    '`answer REQUEST OPTION` answers any question in the queue, even the second or third',
  ],
  [
    /^answer\.(?:first|second|third|fourth|fifth)$/,
    '`answer REQUEST --option OPTION "WORDS"` chooses by name',
  ],
  [
    /\.(?:up|down|left|right|first|last|page-up|page-down|half-up|half-down)$/,
    'there is no cursor in line mode',
  ],
  [/^changes\.undo$/, '`ralph-tui undo TASK` reverts the changes, and `ralph-tui redo TASK` restores them'],
  [/^replay\./, '`ralph-tui replay ID --speed N` plays from start to end'],
  [/\.help$/, '`help` lists the commands'],
  [
    /\.close$|^write\.close$|^read\.prompt-|^knowledge\.back$|^quit\.(?:choose|again)$/,
    'there are no overlays in line mode',
  ],
  [
    /^look\.(?:next-pane|previous-pane|back|zoom|mouse)$|^read\.thoughts$|^draw\.(?:fold|third|closer|wider)$|^changes\./,
    'there are no panes in line mode',
  ],
  [/^look\.(?:events|timeline)$/, 'events are printed as they happen'],
  [
    /^read\.(?:search|next-match|previous-match|previous-failure|next-failure|raw|scope)$/,
    '`logs` and `diff` print everything: search with your terminal',
  ],
  [
    /\.(?:copy-text|copy-path|open-in-editor)$/,
    'copy the printed text; `logs`, `signals` and `report` name the files',
  ],
  [/^help(?:-filter)?\./, '`keys` prints all of them: search with your terminal'],
  [/^write\.editor$/, 'a message is one line; `ralph-tui signal` takes a longer one'],
  [
    /^write\.commands$/,
    "edit `run:` in the task's file, then retry the task on the screen, which asks before it runs the command",
  ],
  [/^guidance\.open$/, '`ralph-tui guidance --screen-reader` asks the same questions line by line'],
  [/^form(?:-words)?\./, '`ralph-tui guidance` and `ralph-tui init` ask line by line with --screen-reader'],
  [/^critical\./, '`ralph-tui run` lists critical findings before it starts'],
  [/^answer\.edit-plan$/, 'edit the files of the plan, then answer'],
  [/^answer\.resolve$/, 'edit the files in the directory that the question names, then answer `edited`'],
  [
    /^end\.later$/,
    'lessons are waiting: `quit` leaves them for later, and the screen offers them again next time',
  ],
  [/^confirm\.other$/, '`ralph-tui signal CANCEL --request ID` takes back any order'],
  [/^confirm\.yes$/, 'only `abort` needs confirmation: type `abort ABORT`'],
  [/^(?:session|end)\.new$|^start\.|^trust\./, '`ralph-tui run` or `ralph-tui demo` starts another session'],
  [/^answer\.side$/, '`ralph-tui tasks` and the files of the plan show what you are deciding on'],
  [/^skill\./, '`ralph-tui skill NAME --screen-reader` holds the conversation line by line'],
  [/^talk\./, '`ralph-tui skill --screen-reader` holds the conversation line by line'],
  [/^issues\.start$|^task-list\./, '`ralph-tui run --issue ID` prints the list and asks before it starts'],
  [/^ready-groups\./, '`ralph-tui issues ready` lists them; `ralph-tui run --issue ID` starts one'],
  [/^look\.issues$|^issues\.|^move-issue\./, '`ralph-tui issues` lists, shows and moves issues'],
  [
    /^plan-review\./,
    '`answer REQUEST --option OPTION "WORDS"` decides on a plan; the question names its document',
  ],
  [
    /^permission\./,
    'only a person answers permission requests: with keys on a screen, or in a terminal that asks first',
  ],
  [
    /^session\.serve$|^serve\./,
    'the terminal of `ralph-tui serve` shows the same; `ralph-tui serve devices` lists and revokes',
  ],
  [/^session\.statistics$/, '`ralph-tui statistics` prints them'],
  [/^leave\.suspend$/, 'the terminal suspends a program in line mode by itself'],
  [/^look\.runners$/, '`ralph-tui runners` lists them'],
  [/^session\.login$/, 'the error message gives the login command: run it in your shell, then `resume`'],
  [/^sessions\.choose$/, '`ralph-tui attach ID --screen-reader` follows another session'],
];

/** Every command of the screen, each text once, with its word or the reason why it has none. */
export const wordsOfKeys = (): readonly WordOfKey[] => {
  const empty = initialView('stopped', true);
  return commands
    .map((command) => ({
      command,
      what: command.group === 'Move' ? `move: ${labelOf(command, empty)}` : command.description,
      word: verbs.find((verb) => verb.commands.includes(command.id))?.usage ?? null,
      why: reasons.find(([id]) => id.test(command.id))?.[1] ?? '',
    }))
    .filter(
      ({ what, word }, index, all) =>
        all.findIndex((one) => one.what === what && one.word === word) === index,
    );
};

/**
 * Rewrites a sentence of the screen for lines. `{session.resume}` becomes its word, or the command's id when it
 * has none. A hint for a key without a word is left out. A hint that only repeats its word becomes the word.
 */
export const withWords = (text: string): string =>
  text
    .split(' · ')
    .filter((part) => wordOf(/^\{([a-z-]+\.[a-z-]+)\}/.exec(part)?.[1]) !== null)
    .join(' · ')
    .replace(/\{([a-z-]+\.[a-z-]+)\}(?: ([a-z]+)\b)?/g, (_, id: string, label: string | undefined) => {
      const word = wordOf(id);
      const rest = label === undefined || label === word ? '' : ` ${label}`;
      return `${word ? `\`${word}\`` : id}${rest}`;
    });

/** The word for a command; `null` when it has none, `undefined` without an id. */
const wordOf = (id: string | undefined): string | null | undefined =>
  id === undefined ? undefined : (verbs.find((verb) => verb.commands.includes(id))?.usage ?? null);
