import type { IssueInFull, IssuesPort, ShownComment } from '../../../components/ports/issues-port.ts';
import { formatFault, toFault } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import type { Redact } from '../../base/redact.ts';
import { kindsOfArtifact } from '../../issues/documents/artifact-comment.ts';
import { countComments } from '../../issues/documents/counting-comments.ts';
import { findDocument } from '../../issues/documents/find-document.ts';
import { readOwnComments } from '../../issues/documents/own-comments.ts';
import { readDocuments } from '../../issues/documents/read-documents.ts';
import type { Issue, IssueComment } from '../../issues/issue.ts';
import { withoutDeadLocks } from '../../issues/lock.ts';
import { planReviewOf } from '../../issues/position/plan-review.ts';
import { type Cli, Exit } from '../cli.ts';
import type { World } from '../world.ts';
import { ownCommentsFile } from './flow-context.ts';
import { type OpenIssues, openIssuesIn } from './open-issues.ts';

/** Characters of a body and of a comment on the screen. `issues show` prints all. */
const longestBody = 64 * 1024;
const longestComment = 8 * 1024;
/** Newest comments on the screen. */
const mostComments = 50;

/** Reads the tracker of a workspace for the screen. The tracker is opened again each time: a person may change the settings meanwhile. */
export const createIssuesPort = (cli: Cli, world: World, workspace: string): IssuesPort => ({
  list: async () => {
    try {
      const { tracker, settings, liveness } = openIssuesIn(cli, world, workspace, {});
      const reading = await tracker.list();
      if (!reading.ok) return { ok: false, error: world.redact(formatFault(reading.error)) };
      return {
        ok: true,
        board: {
          tracker: tracker.name,
          issues: withoutDeadLocks(reading.issues, liveness).map((issue) => withoutText(issue, world.redact)),
          problems: reading.problems.map((problem) => world.redact(formatFault(problem))),
          at: new Date(world.clock.now()).toISOString(),
          pollMs: settings.flow.poll,
          humanReview: planReviewOf(settings.flow.plan_review, cli.env) === 'human',
        },
      };
    } catch (error) {
      return { ok: false, error: world.redact(sentenceOf(error)) };
    }
  },
  show: async (id) => {
    try {
      const open = openIssuesIn(cli, world, workspace, {});
      const found = await open.tracker.show(id);
      if (found.ok) return { ok: true, issue: inFull(cli, world, open, found.value) };
      return { ok: false, error: world.redact(found.faults.map(formatFault).join(' · ')) };
    } catch (error) {
      return { ok: false, error: world.redact(sentenceOf(error)) };
    }
  },
});

const sentenceOf = (error: unknown): string =>
  formatFault(error instanceof Exit ? error.fault : toFault(error));

/** What the list shows of an issue: bodies may be a megabyte each. */
const withoutText = (issue: Issue, redact: Redact): Issue => ({
  ...issue,
  title: redact(issue.title),
  labels: issue.labels.map(redact),
  body: '',
  comments: [],
});

const inFull = (
  cli: Cli,
  { redact }: World,
  { tracker, ports, settings }: OpenIssues,
  issue: Issue,
): IssueInFull => {
  const own = readOwnComments(ports, ownCommentsFile(cli.env), tracker.name);
  const { counting, ignored } = countComments(issue.comments, own, sha256);
  const files = readDocuments(ports.disk, ports.workspace, settings.docs_root);
  const reasons = new Map(ignored.map(({ comment, reason }) => [comment, reason]));
  const body = redact(issue.body);
  return {
    id: issue.id,
    revision: issue.revision,
    body: body.slice(0, longestBody),
    bodyCut: Math.max(0, body.length - longestBody),
    comments: issue.comments
      .slice(-mostComments)
      .map((comment) => shownComment(comment, reasons.get(comment) ?? null, redact)),
    commentsCut: Math.max(0, issue.comments.length - mostComments),
    documents: kindsOfArtifact.flatMap((kind) => {
      const found = findDocument(issue, kind, counting, files);
      return found === null ? [] : [{ kind, location: redact(found.location), via: found.via }];
    }),
  };
};

const shownComment = (
  { author, at, body }: IssueComment,
  ignored: string | null,
  redact: Redact,
): ShownComment => {
  const text = redact(body);
  const cut =
    text.length > longestComment ? `${text.slice(0, longestComment)}\n\n… the rest is left out` : text;
  return { author, at, body: cut, ignored };
};
