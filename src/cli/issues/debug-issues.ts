import { safe } from '../../base/safe.ts';
import type { IssueId } from '../../issues/issue.ts';
import type { Tracker } from '../../issues/trackers/tracker.ts';
import type { CollatedError } from '../../observability/debug/collate.ts';
import { type Cli, failure, valueOrExit } from '../cli.ts';
import { openIssues } from './open-issues.ts';

const label = 'debug-auto';

/**
 * Makes an issue of each error that has none, found by its key in the title, and says what it made. An error that was seen again gets a
 * comment on its issue. Both have the signature and the counts, never the message itself: a tracker may be public.
 */
export const makeDebugIssues = async (
  cli: Cli,
  errors: readonly CollatedError[],
  dryRun: boolean,
): Promise<readonly string[]> => {
  const { tracker } = openIssues(cli, {});
  const reading = await tracker.list();
  if (!reading.ok) throw failure(reading.error);
  const lines: string[] = [];
  for (const error of errors) {
    const mark = `[${label} ${error.key}]`;
    const known = reading.issues.find(({ title }) => title.includes(mark));
    if (known !== undefined) {
      const news = await newsFor(tracker, known.id, error);
      if (news !== null && !dryRun) valueOrExit(await tracker.comment(known.id, news));
      if (news !== null)
        lines.push(`${dryRun ? 'would update: ' : ''}${safe(known.id)}  ${safe(known.title)}`);
      continue;
    }
    const title = `${mark} ${error.signature.slice(0, 100)}`;
    if (dryRun) {
      lines.push(`would create: ${safe(title)}`);
      continue;
    }
    const made = await tracker.create({ title, body: bodyOf(error), labels: [label] });
    if (!made.ok) throw failure(made.faults[0] ?? { code: 'unknown', what: 'the tracker refused an issue' });
    lines.push(`${safe(made.value.id)}  ${safe(title)}`);
  }
  return lines;
};

/** What to say on the issue of an error; `null` when it says that already. */
const newsFor = async (tracker: Tracker, id: IssueId, error: CollatedError): Promise<string | null> => {
  const { body, comments } = valueOrExit(await tracker.show(id));
  const seen = seenWords(error);
  return [body, ...comments.map((comment) => comment.body)].some((text) => text.includes(seen)) ? null : seen;
};

const seenWords = ({ count, first_seen, last_seen, sessions }: CollatedError): string =>
  `Seen ${count} times in ${Object.keys(sessions).length} logs, from ${first_seen} to ${last_seen}.`;

const bodyOf = (error: CollatedError): string =>
  [
    `Signature: ${error.signature}`,
    seenWords(error),
    'Found by `ralph-tui debug collate`; the debug logs contain the messages.',
  ].join('\n\n');
