import type { Estimate, Issue } from '../../issues/issue.ts';
import { estimateNamed } from '../../issues/issue.ts';
import type { IssueEdit, Tracker } from '../../issues/trackers/tracker.ts';
import { type Cli, usage, valueOrExit } from '../cli.ts';
import { isStartedByAgent } from '../started-by-agent.ts';

/** What `issues edit` was given: lists as one text with commas, an empty one for none. */
export interface EditOptions {
  readonly title?: string;
  readonly estimate?: string;
  readonly labels?: string;
  readonly blockedBy?: string;
}

/** Changes an issue for a person: what its tracker can keep, and all of it or nothing. */
export const editIssue = async (
  cli: Cli,
  tracker: Tracker,
  id: string,
  options: EditOptions,
): Promise<Issue> => {
  if (isStartedByAgent(cli.env))
    throw usage(
      'only a person can edit issues, but this command was started by an agent or by a command running in a session',
      'edit the issue in your own terminal',
    );
  const estimate = estimateOf(options.estimate);
  const change: IssueEdit = {
    title: options.title?.trim(),
    labels: listOf(options.labels),
    blockedBy: listOf(options.blockedBy),
  };
  const wanted = (['title', 'labels', 'blockedBy'] as const).filter((key) => change[key] !== undefined);
  if (wanted.length === 0 && estimate === undefined)
    throw usage('nothing to change', 'add --title, --estimate, --labels or --blocked-by');
  if (change.title === '') throw usage('an issue needs a title');
  const { editing } = tracker;
  const missing = wanted.find((key) => editing?.keys.includes(key) !== true);
  if (missing !== undefined)
    throw usage(`the tracker ${tracker.name} cannot change ${keyWords[missing]}`, 'change it there');
  valueOrExit(await tracker.show(id));
  for (const other of change.blockedBy ?? []) {
    if (other === id) throw usage(`issue ${id} cannot block itself`);
    valueOrExit(await tracker.show(other));
  }
  if (wanted.length > 0 && editing !== undefined) valueOrExit(await editing.edit(id, change));
  return valueOrExit(
    estimate === undefined ? await tracker.show(id) : await tracker.update(id, { estimate }, null),
  );
};

const keyWords = { title: 'titles', labels: 'labels', blockedBy: 'blockers' } as const;

const estimateOf = (text: string | undefined): Estimate | undefined => {
  if (text === undefined) return undefined;
  const estimate = estimateNamed(text);
  if (estimate === null) throw usage(`unknown estimate "${text}"`, 'use XS, S, M, L or XL');
  return estimate;
};

const listOf = (text: string | undefined): readonly string[] | undefined =>
  text
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
