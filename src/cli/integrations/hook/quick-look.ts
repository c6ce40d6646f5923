import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What there is to look at for an event. */
export interface QuickLook {
  readonly workspace: string;
  /** At least one session is not complete. */
  readonly hasSession: boolean;
  /** A signal waits in one of those. */
  readonly hasMail: boolean;
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
  const underWay = namesIn(root)
    .map((name) => join(root, name))
    .filter((directory) => !isOver(directory));
  return {
    workspace,
    hasSession: underWay.length > 0,
    hasMail: underWay.some((directory) =>
      namesIn(join(directory, 'signals/inputs')).some((name) => /\.ya?ml$/i.test(name)),
    ),
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

/** Only what says so itself is over: what cannot be read is looked at in full. */
const isOver = (directory: string): boolean => {
  try {
    return /^\s*state:\s*["']?COMPLETE\b/m.test(readFileSync(join(directory, 'metadata.yaml'), 'utf8'));
  } catch {
    // Without metadata the session has just begun.
    return false;
  }
};

const namesIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory);
  } catch {
    // What is not there holds nothing.
    return [];
  }
};
