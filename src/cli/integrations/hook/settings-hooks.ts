import type { Checked, Fault } from '../../../base/fault.ts';
import {
  type JsoncArray,
  type JsoncEntry,
  type JsoncItem,
  type JsoncObject,
  parseJsonc,
} from '../entries/jsonc.ts';
import { insertFirst, isBare, memberOf, removeMember, type Style, styleOf } from '../entries/jsonc-edit.ts';
import { type HookEventName, hookEvents } from './hook-event.ts';

/** The text of a settings file with our hooks in it; nothing else changes. `null`: there is no such file yet. */
export const addHooks = (text: string | null): Checked<string> => {
  const given = text ?? '{\n}\n';
  const style = styleOf(given);
  const found = hooksIn(given);
  if (!found.ok) return found;
  const { root, hooks } = found.value;
  if (hooks === null) return { ok: true, value: insertFirst(given, root, hooksMember(style)) };
  let edited = given;
  // The last first, so that they keep their order.
  for (const name of hookEvents.toReversed()) {
    const now = hooksIn(edited);
    if (!now.ok) return now;
    if (now.value.hooks === null) break;
    const event = now.value.hooks.entries.findLast(({ key }) => key === name);
    if (event === undefined) edited = insertFirst(edited, now.value.hooks, eventMember(name, style));
    else if (event.value.kind !== 'array')
      return { ok: false, faults: [shape(`hooks.${name} is not a list`)] };
    else if (!groupsOf(event.value).some((group) => group.hooks.some(isOurs)))
      edited = insertFirst(edited, event.value, `${style.eol}${style.unit.repeat(3)}${groupText(name)}`);
  }
  return { ok: true, value: edited };
};

/** Whether settings run our hook at this event. Not for what is no JSON. */
export const hasHook = (text: string, name: HookEventName): boolean => {
  const found = hooksIn(text);
  const event = found.ok ? found.value.hooks?.entries.findLast(({ key }) => key === name)?.value : undefined;
  return event?.kind === 'array' && groupsOf(event).some(({ hooks }) => hooks.some(isOurs));
};

/** The text without our hooks, or `null` when nothing is left that the file is for. */
export const removeHooks = (text: string): Checked<string | null> => {
  let edited = text;
  for (;;) {
    const found = hooksIn(edited);
    if (!found.ok) return found;
    const { root, hooks, member } = found.value;
    const next = hooks === null ? null : withoutFirst(edited, hooks);
    if (next !== null) {
      edited = next;
      continue;
    }
    // What was made for our hooks goes with them.
    if (edited !== text && hooks !== null && member !== null && isBare(edited, hooks))
      edited = removeMember(edited, root.entries, member);
    return { ok: true, value: edited !== text && edited === '{\n}\n' ? null : edited };
  }
};

interface Found {
  readonly root: JsoncObject;
  readonly hooks: JsoncObject | null;
  readonly member: JsoncEntry | null;
}

const shape = (what: string): Fault => ({
  code: 'claude-settings',
  what,
  hint: 'fix the file; nothing was written',
});

const hooksIn = (text: string): Checked<Found> => {
  const root = parseJsonc(text);
  if (root?.kind !== 'object') return { ok: false, faults: [shape('is not a JSON object')] };
  const member = root.entries.findLast(({ key }) => key === 'hooks') ?? null;
  if (member === null) return { ok: true, value: { root, hooks: null, member } };
  if (member.value.kind !== 'object') return { ok: false, faults: [shape('hooks is not an object')] };
  return { ok: true, value: { root, hooks: member.value, member } };
};

interface Group {
  readonly item: JsoncItem;
  readonly list: JsoncArray | null;
  readonly hooks: readonly JsoncItem[];
}

const groupsOf = (event: JsoncArray): readonly Group[] =>
  event.items.map((item) => {
    const list = memberOf(item.value, 'hooks');
    return list?.kind === 'array' ? { item, list, hooks: list.items } : { item, list: null, hooks: [] };
  });

/** Ours is what runs this program, whichever options a person has added to it. */
const isOurs = ({ value }: JsoncItem): boolean => {
  const command = memberOf(value, 'command');
  return command?.kind === 'scalar' && /^ralph-tui hook\s/.test(String(command.value));
};

/** The text without the first hook of ours, or `null` when there is none. */
const withoutFirst = (text: string, hooks: JsoncObject): string | null => {
  for (const entry of hooks.entries) {
    if (entry.value.kind !== 'array') continue;
    for (const { item, list, hooks: commands } of groupsOf(entry.value)) {
      const ours = commands.find(isOurs);
      if (!ours) continue;
      if (list && commands.length > 1) return removeMember(text, commands, ours);
      const rest = removeMember(text, entry.value.items, item);
      const isAlone = entry.value.items.length === 1;
      // A list that we made ends on a line of its own; one that was there and empty does not.
      const cut = text.length - rest.length;
      const left = { start: entry.value.start, end: entry.value.end - cut };
      return isAlone && isBare(rest, left) ? removeMember(text, hooks.entries, entry) : rest;
    }
  }
  return null;
};

const hooksMember = (style: Style): string => {
  const { unit, eol } = style;
  const events = hookEvents.map((name) => eventMember(name, style)).join(',');
  return `${eol}${unit}"hooks": {${events}${eol}${unit}}`;
};

const eventMember = (name: HookEventName, { unit, eol }: Style): string =>
  `${eol}${unit.repeat(2)}"${name}": [${eol}${unit.repeat(3)}${groupText(name)}${eol}${unit.repeat(2)}]`;

/** Claude Code waits for a hook; ten seconds are far more than one takes. */
const groupText = (name: HookEventName): string =>
  `{ ${/ToolUse$/.test(name) ? '"matcher": "*", ' : ''}"hooks": [{ "type": "command", "command": "ralph-tui hook ${name}", "timeout": 10 }] }`;
