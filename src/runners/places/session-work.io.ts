import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../base/hash.io.ts';

/** Where the work of a session's fences lies: below `directory`, while the directory `session` exists. Both are absolute. */
export interface SessionWork {
  readonly directory: string;
  readonly session: string;
}

/** The only part that a fence may write. This machine reads no file in it and runs nothing there. */
const lent = 'runner';
const sessionFile = 'session';

/**
 * The directory that a session lends to its fence `name`, the next one after a killed one included: that one packs what it finds. Removes those of sessions
 * that are gone.
 */
export const lendWork = ({ directory, session }: SessionWork, name: string): string => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const left of readdirSync(directory)) {
    const owner = ownerOf(join(directory, left));
    if (owner !== null && !isThere(owner)) removeWork(join(directory, left));
  }
  const place = placeOf({ directory, session }, name);
  mkdirSync(join(place, lent), { recursive: true, mode: 0o700 });
  writeFileSync(join(place, sessionFile), session, { mode: 0o600 });
  return join(place, lent);
};

/** Removes that directory when its fence has ended and left nothing in it that the session has not taken. */
export const takeBackWork = (work: SessionWork, name: string): void => {
  const place = placeOf(work, name);
  if (['work', 'late'].every((each) => isEmpty(join(place, lent, each)))) removeWork(place);
};

const placeOf = ({ directory, session }: SessionWork, name: string): string =>
  join(directory, sha256(`${session}\0${name}`).slice(0, 16));

const ownerOf = (place: string): string | null => {
  try {
    return readFileSync(join(place, sessionFile), 'utf8');
  } catch {
    // A killed program made it, and lent it to nobody yet.
    return null;
  }
};

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** An agent may have put anything there: a link is not followed. */
const isEmpty = (path: string): boolean =>
  !isThere(path) || (lstatSync(path).isDirectory() && readdirSync(path).length === 0);

const removeWork = (place: string): void => rmSync(place, { recursive: true, force: true });
