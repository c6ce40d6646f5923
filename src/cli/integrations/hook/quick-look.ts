import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What there is to look at for an event. */
export interface QuickLook {
  readonly workspace: string;
  /** At least one session is not complete, or the newest was aborted. */
  readonly hasSession: boolean;
  /** A signal waits in one of those. */
  readonly hasMail: boolean;
  /** One of those may be held or aborted. */
  readonly mayHold: boolean;
  readonly hasGuidance: boolean;
  /** There may be issues. */
  readonly hasIssues: boolean;
}

/**
 * The nearest folder at or above these that holds sessions, guidance or issues; `null` when there is none. Agents wait for a hook at each of their tool
 * calls, so this decides by a few small files, before the rest of the program is loaded.
 */
export const lookQuickly = (from: readonly string[]): QuickLook | null => {
  const workspace = from.map(nearest).find((found) => found !== null);
  if (workspace === undefined || workspace === null) return null;
  const root = join(workspace, '.ralph-sessions');
  const sessions = namesIn(root)
    .map((name) => join(root, name))
    .filter(isDirectory);
  const open = sessions.filter((path) => !says(path, /^\s*state:\s*["']?COMPLETE\b/m));
  // An ABORT still stops the agents that worked then: without a later session it is the one that hooks ask.
  const stopped = open.length > 0 ? [] : sessions.toSorted().slice(-1).filter(isAborted);
  const underWay = [...open, ...stopped];
  return {
    workspace,
    hasSession: underWay.length > 0,
    hasMail: underWay.some((directory) => holdsSignals(join(directory, 'signals/inputs'))),
    mayHold: stopped.length > 0 || open.some(mayHold),
    hasGuidance: existsSync(join(workspace, '.ralph/guidance.yaml')),
    hasIssues: issuePlaces.some((place) => existsSync(join(workspace, place))),
  };
};

/** Issues of the folder itself, or settings that may name another tracker. */
const issuePlaces = ['.ralph/issues', '.ralph/config.yaml'];
const places = ['.ralph-sessions', '.ralph/guidance.yaml', ...issuePlaces];

const nearest = (from: string): string | null => {
  for (let folder = from; ; folder = dirname(folder)) {
    if (places.some((place) => existsSync(join(folder, place)))) return folder;
    if (dirname(folder) === folder) return null;
  }
};

/** The instructions of a session lie beside its directory. */
const isDirectory = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const isAborted = (directory: string): boolean => says(directory, /^status:\s*["']?aborted\b/m);

/** Only what says so itself is over: what cannot be read is looked at in full. */
const says = (directory: string, what: RegExp): boolean => {
  try {
    return what.test(readFileSync(join(directory, 'metadata.yaml'), 'utf8'));
  } catch {
    // Without metadata the session has just begun.
    return false;
  }
};

/**
 * False only for a session whose record says that nothing holds it, and that took no signal since. The record is read first: a signal that is taken
 * meanwhile lies in one of the folders that are looked at after it.
 */
const mayHold = (directory: string): boolean => {
  try {
    const metadata = join(directory, 'metadata.yaml');
    const { mtimeMs } = statSync(metadata);
    const isQuiet =
      /^ {2}paused: null$/m.test(readFileSync(metadata, 'utf8')) &&
      !['inputs', 'claimed'].some((folder) => holdsSignals(join(directory, 'signals', folder))) &&
      statSync(join(directory, 'signals/processed')).mtimeMs < mtimeMs;
    return !isQuiet;
  } catch {
    // What cannot be read is looked at in full.
    return true;
  }
};

const holdsSignals = (folder: string): boolean => namesIn(folder).some((name) => /\.ya?ml$/i.test(name));

const namesIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory);
  } catch {
    // What is not there holds nothing.
    return [];
  }
};
