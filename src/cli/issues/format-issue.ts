import { safe } from '../../base/safe.ts';
import type { Issue } from '../../issues/issue.ts';
import { lockText } from '../../issues/lock.ts';

/** An issue for a terminal: facts, text, comments. Everything in it comes from outside. */
export const formatIssue = (issue: Issue): string =>
  [
    `${safe(issue.id)}: ${safe(issue.title)}`,
    ...facts(issue).map(([name, value]) => `${name}: ${safe(value)}`),
    ...(issue.body.trim() === '' ? [] : ['', ...lines(issue.body)]),
    ...issue.comments.flatMap(({ author, at, body }) => [
      '',
      safe(`── ${author ?? 'comment'}${at === '' ? '' : `, ${at}`}`),
      ...lines(body),
    ]),
  ].join('\n');

const lines = (text: string): readonly string[] => text.trim().split(/\r?\n/).map(safe);

const facts = (issue: Issue): readonly (readonly [string, string])[] =>
  [
    ['state', issue.state] as const,
    ['estimate', issue.estimate ?? ''] as const,
    ['labels', issue.labels.join(', ')] as const,
    ['parent', issue.parent ?? ''] as const,
    ['blocked by', issue.blockedBy.join(', ')] as const,
    ['held', issue.held ?? ''] as const,
    ['lock', issue.lock === undefined ? '' : lockText(issue.lock)] as const,
    ['url', issue.url ?? ''] as const,
  ].filter(([, value]) => value !== '');
