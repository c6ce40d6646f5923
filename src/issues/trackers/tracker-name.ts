import type { Checked } from '../../base/fault.ts';
import { pathProblem } from '../../tasks/relative-path.ts';
import { refused } from './tracker.ts';

/** Every tracker, in the order users see them. */
export const trackerNames = ['native', 'prd', 'markdown', 'beads', 'gh'] as const;
export type TrackerName = (typeof trackerNames)[number];

/** The trackers that read files of the workspace and start no program. */
export const isLocalTracker = (name: TrackerName): boolean => ['native', 'prd', 'markdown'].includes(name);

/** The trackers that are one file, and its usual name. */
export const usualFiles: Readonly<Partial<Record<TrackerName, string>>> = {
  prd: 'prd.json',
  markdown: 'TODO.md',
};

/** A tracker as `flow.tracker` names it: `native`, `markdown:docs/todo.md`. */
export interface NamedTracker {
  readonly name: TrackerName;
  /** Relative to the workspace; `null` for trackers that are no file. */
  readonly file: string | null;
}

/** Reads the name of a tracker, or the fault `tracker-name`. */
export const trackerNamed = (text: string): Checked<NamedTracker> => {
  const [, word = '', file] = /^([a-z]+)(?::(.+))?$/s.exec(text) ?? [];
  const name = trackerNames.find((each) => each === word);
  if (name === undefined)
    return refused('tracker-name', `unknown tracker "${text}"`, `allowed are ${trackerNames.join(', ')}`);
  const usual = usualFiles[name];
  if (file === undefined || usual === undefined)
    return file === undefined
      ? { ok: true, value: { name, file: usual ?? null } }
      : refused('tracker-name', `the tracker ${name} is no file`, `write only ${name}`);
  const problem = pathProblem(file);
  return problem === null
    ? { ok: true, value: { name, file } }
    : refused('tracker-name', `the path of "${text}" ${problem}`);
};
