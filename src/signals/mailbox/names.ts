import { extname } from 'node:path';
import type { Random } from '../../base/random.ts';

/**
 * A fresh name `signal.<yyMMdd-HHmmss>Z-<ms><rand>.yaml` in UTC. Uses eight digits for years that two digits cannot express (a machine without a
 * clock starts in 1970).
 */
export const formatSignalName = (at: number, random: Random): string => {
  const iso = new Date(at).toISOString();
  const year = new Date(at).getUTCFullYear();
  const date = iso.slice(0, 10).replaceAll('-', '');
  const time = iso.slice(11, 19).replaceAll(':', '');
  return `signal.${year >= 2000 && year <= 2099 ? date.slice(2) : date}-${time}Z-${iso.slice(20, 23)}${random.hex(6)}.yaml`;
};

/** Minutes east of UTC at an instant: `Clock.offsetMinutes`. */
export type OffsetOf = (at: number) => number;

const form =
  /^(?:signal\.)?(\d{8}|\d{6})-(\d{2})(\d{2})(\d{2})(Z|\+\d{4}|-(?:0\d|1[0-2])(?:00|30|45))?(-.*)?$/i;
const milliseconds = /^-(\d{3})(?:[0-9a-f]{5,})?$/i;

/**
 * The instant in a name, in milliseconds since the epoch, or null for an unknown form (seed 001, section 1: 6 or 8 digits, with
 * `-<ms>` or `-<random>`; ours: `Z`, `+0700`). A name without a zone is in the time of this machine. Six digits belong to this century.
 */
export const parseSignalName = (name: string, offsetOf: OffsetOf): number | null => {
  const found = form.exec(name.slice(0, name.length - extname(name).length));
  if (!found) return null;
  const [, date = '', hour, minute, second, zone, rest = ''] = found;
  const day = date.length === 6 ? `20${date}` : date;
  const ms = milliseconds.exec(rest)?.[1] ?? '000';
  const iso = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${hour}:${minute}:${second}.${ms}`;
  return parseInstant(`${iso}${zone ?? ''}`, offsetOf);
};

const instant =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?))?\s*(Z|[+-]\d{2}:?(?:\d{2})?)?$/i;

/** An ISO 8601 timestamp from people and agents. Without a zone it is in the time of this machine. Null when it is invalid. */
export const parseInstant = (text: string, offsetOf: OffsetOf): number | null => {
  const found = instant.exec(text.trim());
  if (!found) return null;
  const [, date = '', time = '00:00', zone] = found;
  const utc = Date.parse(`${date}T${/^\d:/.test(time) ? `0${time}` : time}Z`.replace(',', '.'));
  // The runtime reads 31 February as 3 March.
  if (Number.isNaN(utc) || new Date(utc).toISOString().slice(0, 10) !== date) return null;
  return utc - (zone === undefined ? offsetOf(utc - offsetOf(utc) * 60_000) : zoneMinutes(zone)) * 60_000;
};

const zoneMinutes = (zone: string): number => {
  if (zone.toUpperCase() === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', '') || 0);
  return zone.startsWith('-') ? -minutes : minutes;
};

/** The kind of a name in `inputs/`: a signal, a scratch file to leave alone, or a signal whose name we cannot keep. */
type NameKind = 'signal' | 'scratch' | 'unusable';

/** Leaves space for the owner in `claimed/` and for suffixes: file systems allow 255 bytes. */
const longestName = 140;
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Only `*.yaml` and `*.yml` without a leading dot are signals (src/signals/README.md, Files). */
export const classifyName = (name: string): NameKind => {
  if (!(name.endsWith('.yaml') || name.endsWith('.yml')) || name.startsWith('.')) return 'scratch';
  return nameProblem(name) === null ? 'signal' : 'unusable';
};

/** The reason why a name cannot be kept, as one clause, or null. */
export const nameProblem = (name: string): string | null => {
  if (!name.isWellFormed()) return 'its name is not valid UTF-8';
  if (unprintable.test(name)) return 'its name contains control characters';
  const bytes = new TextEncoder().encode(name).length;
  return bytes > longestName ? `its name is ${bytes} bytes long; at most ${longestName} are allowed` : null;
};

/** A name that is safe in a directory and on a screen: bad characters as `%XX`, cut so that `.error.txt` fits after it. */
export const escapeName = (name: string): string => {
  let text = '';
  for (const character of name) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xdc80 && code <= 0xdcff) text += hex(code - 0xdc00);
    else if (unprintable.test(character) || (code >= 0xd800 && code <= 0xdfff))
      text += [...new TextEncoder().encode(character)].map(hex).join('');
    else text += character;
  }
  let end = text.length;
  while (new TextEncoder().encode(text.slice(0, end)).length > longestName) end -= 1;
  return text.slice(0, end).toWellFormed();
};

const hex = (byte: number): string => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`;

/** Inserts a suffix before the extension of `name.yaml`, for a name that is taken. */
export const suffixName = (name: string, suffix: string): string => {
  const ending = extname(name);
  return `${name.slice(0, name.length - ending.length)}-${suffix}${ending}`;
};
