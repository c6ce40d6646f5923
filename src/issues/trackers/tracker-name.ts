import { posix } from 'node:path';
import type { Checked } from '../../base/fault.ts';
import { pathProblem } from '../../tasks/relative-path.ts';
import { refused } from './tracker.ts';

/** Every tracker, in the order users see them. */
export const trackerNames = ['native', 'prd', 'markdown', 'beads', 'gh', 'linear'] as const;
export type TrackerName = (typeof trackerNames)[number];

/** The trackers that read files of the workspace and start no program. */
export const isLocalTracker = (name: TrackerName): boolean => ['native', 'prd', 'markdown'].includes(name);

/** The trackers that need a place after their name. Setup cannot offer them: it asks for a name alone. */
export const placedTrackers = ['linear'] as const;
export type PlacedTracker = (typeof placedTrackers)[number];

/** The trackers that are one file, and its usual name. */
const usualFiles: Readonly<Partial<Record<TrackerName, string>>> = { prd: 'prd.json', markdown: 'TODO.md' };

/** A tracker as `flow.tracker` names it: `native`, `markdown:docs/todo.md`, `linear:ENG`. */
export interface NamedTracker {
  readonly name: TrackerName;
  /** A file relative to the workspace, or a team; empty for the other trackers. */
  readonly place: string;
}

/** Reads the name of a tracker, or the fault `tracker-name`. */
export const trackerNamed = (text: string): Checked<NamedTracker> => {
  const [, word = '', place] = /^([^:]+)(?::(.+))?$/s.exec(text) ?? [];
  const name = trackerNames.find((each) => each === word);
  if (name === undefined)
    return refused('tracker-name', `unknown tracker "${text}"`, `use one of ${trackerNames.join(', ')}`);
  const problem = placeProblem(name, place);
  return problem === null
    ? { ok: true, value: { name, place: place ?? usualFiles[name] ?? '' } }
    : refused('tracker-name', ...problem);
};

/** Whether a file of the workspace is where the tracker keeps its issues. A merge that brings another one would move them. */
export const keepsIssuesIn = (tracker: string, path: string): boolean => {
  const named = trackerNamed(tracker);
  if (path.startsWith('.ralph/issues/')) return true;
  if (!named.ok) return false;
  const { name, place } = named.value;
  if (name === 'beads') return path.startsWith('.beads/');
  return usualFiles[name] !== undefined && path === posix.normalize(place);
};

/** The files and folders of the workspace in which the tracker keeps what this program writes about issues, relative to it. */
export const issuePlaces = (tracker: string): readonly string[] => {
  const named = trackerNamed(tracker);
  const file =
    named.ok && usualFiles[named.value.name] !== undefined ? [posix.normalize(named.value.place)] : [];
  return ['.ralph/issues', ...file];
};

/** Whether this program writes a file about issues there; locks and files that are half written are none. */
export const isIssueFile = (tracker: string, path: string): boolean =>
  issuePlaces(tracker).some((place) =>
    place === '.ralph/issues' ? /^\.ralph\/issues\/.+\.(?:md|jsonl)$/.test(path) : path === place,
  );

const placeProblem = (name: TrackerName, place: string | undefined): readonly [string, string] | null => {
  if (name === 'linear')
    return /^[A-Za-z][A-Za-z0-9]{0,19}$/.test(place ?? '')
      ? null
      : ['linear needs a team key', 'write it as linear:ENG'];
  if (place === undefined) return null;
  if (usualFiles[name] === undefined) return [`the tracker ${name} is not a file`, `write only ${name}`];
  const problem = pathProblem(place);
  return problem === null
    ? null
    : [`the path of "${name}:${place}" ${problem}`, 'name a file in the workspace'];
};
