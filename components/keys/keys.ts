import { graphemesOf } from '../../src/words/width.ts';

/** A key press: its name for the command table, and the text it would insert into a field, if any. */
export interface KeyPress {
  readonly name: string;
  readonly text: string | null;
}

/** The part of Ink's `Key` that is used. */
export interface KeyFlags {
  readonly upArrow: boolean;
  readonly downArrow: boolean;
  readonly leftArrow: boolean;
  readonly rightArrow: boolean;
  readonly pageDown: boolean;
  readonly pageUp: boolean;
  readonly home: boolean;
  readonly end: boolean;
  readonly return: boolean;
  readonly escape: boolean;
  readonly ctrl: boolean;
  readonly shift: boolean;
  readonly tab: boolean;
  readonly backspace: boolean;
  readonly delete: boolean;
  readonly meta: boolean;
  readonly eventType?: 'press' | 'repeat' | 'release' | undefined;
}

const named: readonly (readonly [keyof KeyFlags, string])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
];

/**
 * The keys in one input of Ink. Several can arrive as one string when they are typed fast or sent by a script, and each one counts. Names
 * carry the prefixes `ctrl-`, `alt-` and (for keys without text) `shift-`.
 */
export const keysOf = (input: string, key: KeyFlags): readonly KeyPress[] => {
  if (key.eventType === 'release') return [];
  const name = named.find(([flag]) => key[flag] === true)?.[1];
  if (name !== undefined) return [{ name: prefixed(name, key, true), text: null }];
  if (key.ctrl) return [{ name: prefixed(input, key, false), text: null }];
  if (key.meta) return [{ name: prefixed(input, key, false), text: null }];
  return graphemesOf(input).map(single);
};

const prefixed = (name: string, key: KeyFlags, shift: boolean): string =>
  `${key.ctrl ? 'ctrl-' : ''}${key.meta && name !== 'escape' ? 'alt-' : ''}${shift && key.shift ? 'shift-' : ''}${name}`;

const controls: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\r\n': 'enter',
  '\n': 'ctrl-j',
  '\t': 'tab',
  '\u001b': 'escape',
  '\u007f': 'backspace',
  '\b': 'backspace',
};

const single = (segment: string): KeyPress => {
  const control = controls[segment];
  if (control !== undefined) return { name: control, text: null };
  const code = segment.charCodeAt(0);
  if (code < 32) return { name: `ctrl-${String.fromCharCode(code + 96)}`, text: null };
  return { name: segment === ' ' ? 'space' : segment, text: segment };
};
