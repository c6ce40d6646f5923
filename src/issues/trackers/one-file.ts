import { plainText } from '../../base/bytes.ts';
import type { Checked, Fault } from '../../base/fault.ts';
import { readBytes, readText, replaceFile } from '../../base/replace-file.ts';
import type { Issue, IssueId } from '../issue.ts';
import { isTerminal } from '../state.ts';
import { withFileLock } from './file-lock.ts';
import { failed, guarded } from './guarded.ts';
import type { PartialTracker } from './overlay.ts';
import {
  type IssueDraft,
  type IssueEdit,
  type IssueEditing,
  noSuchIssue,
  refused,
  type TrackerPorts,
} from './tracker.ts';

/** How a file with all issues of a tracker is read and written. All functions are pure. */
export interface IssueFormat {
  readonly name: string;
  readonly read: (
    text: string,
    file: string,
  ) => Checked<{ readonly issues: readonly Issue[]; readonly problems: readonly Fault[] }>;
  /** The text with one issue opened or closed and every other byte kept. */
  readonly close: (text: string, id: IssueId, closed: boolean) => string;
  /** What can be changed of an issue, and the text with that changed. */
  readonly edits: IssueEditing['keys'];
  readonly edit: (text: string, id: IssueId, change: IssueEdit) => string;
  /** The text with one more issue, and its id. */
  readonly add: (text: string, draft: IssueDraft) => { readonly text: string; readonly id: IssueId };
}

const mostBytes = 32 * 1024 * 1024;

/** A tracker that is one file of the workspace and can only open and close issues. */
export const createFileTracker = (
  ports: TrackerPorts,
  format: IssueFormat,
  path: string,
  shown: string,
): PartialTracker => {
  const read = (): ReturnType<IssueFormat['read']> => {
    const bytes = readBytes(ports.disk, path, mostBytes);
    if (bytes === null)
      return refused('tracker-missing', `${shown} does not exist`, 'create it, or set flow.tracker');
    const text = plainText(bytes);
    return text === null
      ? refused('tracker-not-text', `${shown} is not UTF-8 text`, 'save it as UTF-8')
      : format.read(text, shown);
  };
  const show = async (id: IssueId): Promise<Checked<Issue>> => {
    const all = read();
    if (!all.ok) return all;
    const issue = all.value.issues.find((each) => each.id === id);
    return issue === undefined ? noSuchIssue(id) : { ok: true, value: issue };
  };
  const edit = (change: (text: string) => string): Promise<void> =>
    withFileLock(ports, path, () => {
      const text = readText(ports.disk, path, mostBytes) ?? '';
      const changed = change(text);
      if (changed !== text) replaceFile(ports.disk, ports.random, path, changed);
    });
  return {
    name: format.name,
    isShared: false,
    keeps: new Set(),
    list: async () => {
      const all = await guarded(async () => read());
      return all.ok ? { ok: true, ...all.value } : failed(all.faults);
    },
    show: (id) => guarded(() => show(id)),
    update: (id, { state }) =>
      guarded(async () => {
        const issue = await show(id);
        if (!issue.ok || state === undefined) return issue;
        await edit((text) => format.close(text, id, isTerminal(state)));
        return show(id);
      }),
    editing: {
      keys: format.edits,
      edit: (id, change) =>
        guarded(async () => {
          const issue = await show(id);
          if (!issue.ok) return issue;
          await edit((text) => format.edit(text, id, change));
          return show(id);
        }),
    },
    comment: async () => refused('tracker-comments', `${shown} does not support comments`),
    create: (draft) =>
      guarded(async () => {
        if (draft.title.trim() === '') return refused('issue-title', 'an issue needs a title');
        const all = read();
        if (!all.ok) return all;
        const ids: IssueId[] = [];
        await edit((text) => {
          const added = format.add(text, draft);
          ids.push(added.id);
          return added.text;
        });
        return show(ids[0] ?? '');
      }),
  };
};
