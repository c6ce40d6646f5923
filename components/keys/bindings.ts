import { memoise } from '../../src/base/memoise.ts';
import type { Command } from '../command.ts';
import { commands } from '../commands.ts';
import { selectPreferences } from '../ports/select-preferences.ts';
import type { ViewState } from '../view.ts';
import { isEditKey } from './edit-keys.ts';
import { nameKeys } from './name-keys.ts';

/** The command table with the person's own keys (`ui.keys`). `problems` has one sentence for each setting that could not be used. */
export interface Bindings {
  readonly commands: readonly Command[];
  /** By `<context> <key>`. */
  readonly byKey: ReadonlyMap<string, Command>;
  readonly problems: readonly string[];
}

/** By command id: its keys, with blanks between them. */
type KeySettings = Readonly<Record<string, string>>;

/** The bindings in force on this screen. */
export const bindingsOf = (view: ViewState): Bindings => bind(selectPreferences(view).keys);

const standard: KeySettings = {};

/** Replaces the table's keys with the person's. A key that clashes is left out, so that no command loses its key to a mistake. */
export const bind = memoise((settings: KeySettings): Bindings => bindTo(commands, settings));

/** `bind` for any table. */
export const bindTo = (table: readonly Command[], settings: KeySettings): Bindings => {
  const problems: string[] = [];
  const wanted = new Map<string, readonly string[]>();
  for (const [id, text] of Object.entries(settings)) {
    const command = table.find((each) => each.id === id);
    const keys = text.split(/\s+/).filter((key) => key !== '');
    const problem = command === undefined ? `unknown command "${id}"` : whyNot(command, keys);
    if (problem === null) wanted.set(id, keys);
    else problems.push(`ui.keys: ${problem}`);
  }
  let clash = firstClash(table, wanted);
  while (clash !== null) {
    problems.push(
      `ui.keys: ${clash.key} is already a key of ${clash.other.id}; ${clash.loser.id} ${clash.loser.keys.length === 0 ? 'stays without a key' : `keeps ${clash.loser.keys.join(' ')}`}`,
    );
    wanted.delete(clash.loser.id);
    clash = firstClash(table, wanted);
  }
  const bound = table.map((command) => {
    const keys = wanted.get(command.id);
    return keys === undefined ? command : { ...command, keys };
  });
  const named = bound.map((command): Command => {
    const { offered } = command;
    const withNames = <T>(able: T | string): T | string =>
      typeof able === 'string' ? nameKeys(able, bound) : able;
    return {
      ...command,
      available: (view) => withNames(command.available(view)),
      ...(offered === undefined ? {} : { offered: (view) => withNames(offered(view)) }),
    };
  });
  const byKey = new Map(
    named.flatMap((command) => command.keys.map((key) => [`${command.context} ${key}`, command] as const)),
  );
  return { commands: named, byKey, problems };
};

/** The table without any settings. */
export const standardBindings = (): Bindings => bind(standard);

const keyForm =
  /^(?:ctrl-|alt-|shift-)*(?:\S|up|down|left|right|pageup|pagedown|home|end|enter|escape|tab|backspace|delete|space)$/u;

const whyNot = (command: Command, keys: readonly string[]): string | null => {
  if (keys.length === 0) return `${command.id} has no key: set one, such as "${command.keys[0] ?? 'Z'}"`;
  const odd = keys.find((key) => !keyForm.test(key));
  if (odd !== undefined) return `"${odd}" for ${command.id} is not a key: use p, P, ctrl-p, alt-p, pageup, …`;
  const typed = keys.find((key) => isEditKey(command.context, key));
  return typed === undefined ? null : `${typed} is an editing key, so ${command.id} cannot use it`;
};

interface Clash {
  readonly key: string;
  readonly loser: Command;
  readonly other: Command;
}

/** Two commands with one key in one context: the one whose key was set loses. A clash within the table itself is no user error and stays. */
const firstClash = (
  table: readonly Command[],
  wanted: ReadonlyMap<string, readonly string[]>,
): Clash | null => {
  const owners = new Map<string, Command>();
  for (const command of table)
    for (const key of wanted.get(command.id) ?? command.keys) {
      const place = `${command.context} ${key}`;
      const owner = owners.get(place);
      if (owner === undefined || owner === command) owners.set(place, command);
      else if (wanted.has(command.id)) return { key, loser: command, other: owner };
      else if (wanted.has(owner.id)) return { key, loser: owner, other: command };
    }
  return null;
};
