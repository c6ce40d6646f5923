import { safe } from '../../base/safe.ts';
import type { CollatedError } from '../../observability/debug/collate.ts';
import { type Cli, failure } from '../cli.ts';
import { openIssues } from './open-issues.ts';

const label = 'debug-auto';

/**
 * Makes an issue of each error that has none, found by its key in the title, and says what it made. The issue has the signature and the counts, never
 * the message itself: a tracker may be public.
 */
export const makeDebugIssues = async (
  cli: Cli,
  errors: readonly CollatedError[],
  dryRun: boolean,
): Promise<readonly string[]> => {
  const { tracker } = openIssues(cli, {});
  const reading = await tracker.list();
  if (!reading.ok) throw failure(reading.error);
  const titles = reading.issues.map(({ title }) => title);
  const lines: string[] = [];
  for (const error of errors) {
    const mark = `[${label} ${error.key}]`;
    if (titles.some((title) => title.includes(mark))) continue;
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

const bodyOf = ({ signature, count, first_seen, last_seen, sessions }: CollatedError): string =>
  [
    `Signature: ${signature}`,
    `Seen ${count} times in ${Object.keys(sessions).length} logs, from ${first_seen} to ${last_seen}.`,
    'Found by `ralph-tui debug collate`; the debug logs contain the messages.',
  ].join('\n\n');
