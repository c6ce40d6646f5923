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

/** One fence: its runner, and the link into it. */
interface FenceOf {
  readonly name: string;
  readonly link: string;
}

/**
 * The directory that a session lends to one fence. What lies there was left by a fence of this link that was killed: the next one packs it. Removes those of
 * sessions that are gone.
 */
export const lendWork = ({ directory, session }: SessionWork, fence: FenceOf): string => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const left of readdirSync(directory)) {
    const owner = ownerOf(join(directory, left));
    if (owner !== null && !isThere(owner)) removeWork(join(directory, left));
  }
  const place = placeOf({ directory, session }, fence);
  mkdirSync(join(place, lent), { recursive: true, mode: 0o700 });
  writeFileSync(join(place, sessionFile), session, { mode: 0o600 });
  return join(place, lent);
};

/** Removes that directory when its fence has ended and left nothing in it that the session has not taken. */
export const takeBackWork = (work: SessionWork, fence: FenceOf): void => {
  const place = placeOf(work, fence);
  if (['work', 'late'].every((each) => isEmpty(join(place, lent, each)))) removeWork(place);
};

/** The links of this runner whose fences left work behind, or are at work. */
export const linksWithWork = (work: SessionWork, name: string): readonly string[] => {
  if (!isThere(work.directory)) return [];
  const begin = `${hashOf(work, name)}-`;
  return readdirSync(work.directory).flatMap((each) =>
    each.startsWith(begin) ? [each.slice(begin.length)] : [],
  );
};

const placeOf = (work: SessionWork, { name, link }: FenceOf): string =>
  join(work.directory, `${hashOf(work, name)}-${link}`);

const hashOf = ({ session }: SessionWork, name: string): string => sha256(`${session}\0${name}`).slice(0, 16);

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
