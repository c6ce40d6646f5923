import { relative } from 'node:path';
import type { Fault } from '../../base/fault.ts';
import { isIssueFile, issuePlaces } from '../../issues/trackers/tracker-name.ts';
import { parseFrontMatter } from '../../tasks/front-matter.ts';
import type { Core } from '../core.ts';
import type { ControlChange, ControlFile, Issues } from './control-files.ts';

/** The files of the tracker that the session works for. */
export const issuesOf = ({ loop }: Core): Issues => {
  const tracker = loop.state().flow?.tracker;
  return tracker === undefined
    ? { places: [], isOne: () => false }
    : { places: issuePlaces(tracker), isOne: (path) => isIssueFile(tracker, path) };
};

/**
 * Whether a person may have made the change by hand, for which there is no command: the words below the fields of an issue, or the whole issue gone. Nothing
 * tells it from an agent's, so it stays and is named. What moves an issue, makes one or speaks for the program has a command.
 */
export const mayBeByHand = (workspace: string, { path, before, after }: ControlChange): boolean => {
  const name = relative(workspace, path);
  if (before === null || !/^\.ralph\/issues\/[^/]+\.md$/.test(name)) return false;
  return after === null || fieldsOf(before) === fieldsOf(after);
};

/** The fields of an issue as text; each opaque file is another one. */
const fieldsOf = (file: ControlFile): string =>
  file.kind === 'opaque'
    ? file.mark
    : JSON.stringify(parseFrontMatter(new TextDecoder().decode(file.bytes), 'issue').value.data);

/** The notice of such a change. */
export const byHand = ({ options }: Core, { path, after }: ControlChange, who: string): Fault => ({
  code: 'issue-by-hand',
  what: `${relative(options.paths.workspace, path)} was ${after === null ? 'deleted' : 'edited'} while ${who} worked, which may be your own doing: it stays`,
  where: path,
});
