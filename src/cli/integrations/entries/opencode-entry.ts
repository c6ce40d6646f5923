import { join } from 'node:path';
import type { Checked, Fault } from '../../../base/fault.ts';
import type { Entry } from './entry.ts';
import { type JsoncEntry, type JsoncObject, parseJsonc } from './jsonc.ts';
import { insertFirst, isBare, removeMember, styleOf } from './jsonc-edit.ts';

/** Our server in the settings of opencode for this folder. */
export const opencodeEntry: Entry = {
  name: 'ralph-tui server',
  file: ({ cwd }, { disk }) => {
    const commented = join(cwd, 'opencode.jsonc');
    return disk.lstat(commented) === null ? join(cwd, 'opencode.json') : commented;
  },
  add: (text) => {
    const given = text ?? '{\n}\n';
    const found = serversIn(given);
    if (!found.ok) return found;
    const { root, servers, member } = found.value;
    const { unit, eol } = styleOf(given);
    const server = `${eol}${unit.repeat(2)}"ralph-tui": { "type": "local", "command": ["ralph-tui", "mcp"], "enabled": true }`;
    if (servers === null)
      return { ok: true, value: insertFirst(given, root, `${eol}${unit}"mcp": {${server}${eol}${unit}}`) };
    return { ok: true, value: member === null ? insertFirst(given, servers, server) : given };
  },
  remove: (text) => {
    const found = serversIn(text);
    if (!found.ok) return found;
    const { servers, member } = found.value;
    if (servers === null || member === null) return { ok: true, value: text };
    const edited = removeMember(text, servers.entries, member);
    const left = serversIn(edited);
    if (!left.ok || left.value.servers === null || left.value.place === null)
      return left.ok ? { ok: true, value: edited } : left;
    const rest = isBare(edited, left.value.servers)
      ? removeMember(edited, left.value.root.entries, left.value.place)
      : edited;
    return { ok: true, value: rest === '{\n}\n' ? null : rest };
  },
};

interface Found {
  readonly root: JsoncObject;
  readonly servers: JsoncObject | null;
  readonly place: JsoncEntry | null;
  /** Ours among them. */
  readonly member: JsoncEntry | null;
}

const serversIn = (text: string): Checked<Found> => {
  const root = parseJsonc(text);
  if (root?.kind !== 'object') return { ok: false, faults: [shape('is not a JSON object')] };
  const place = root.entries.findLast(({ key }) => key === 'mcp') ?? null;
  if (place === null) return { ok: true, value: { root, servers: null, place, member: null } };
  const { value: servers } = place;
  if (servers.kind !== 'object') return { ok: false, faults: [shape('mcp is not an object')] };
  const member = servers.entries.findLast(({ key }) => key === 'ralph-tui') ?? null;
  return { ok: true, value: { root, servers, place, member } };
};

const shape = (what: string): Fault => ({
  code: 'opencode-settings',
  what,
  hint: 'fix the file; nothing was written',
});
