import { join, posix } from 'node:path';
import { FaultError } from '../../base/fault.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import { type ArtifactKind, formatArtifactComment } from '../../issues/documents/artifact-comment.ts';
import { documentPath } from '../../issues/documents/document-name.ts';
import type { Issue, IssueId } from '../../issues/issue.ts';
import type { Listed } from '../../pipeline/modes/flow/flow-tasks.ts';
import { formatFrontMatter, parseFrontMatter } from '../../tasks/front-matter.ts';
import { type FlowContext, showIssue } from './flow-context.ts';
import { commentOnce } from './move-along.ts';

interface Paper {
  readonly kind: ArtifactKind;
  readonly text: string;
  /** Up to three lines for the comment. */
  readonly summary: readonly string[];
  /** Files of a research, for the front matter. */
  readonly files?: readonly string[];
}

/** Writes a document of a task into the workspace, and links it from each of its issues by one comment. Returns its path, relative to the workspace. */
export const keepDocument = async (
  context: FlowContext,
  { task, listed }: Listed,
  issues: readonly IssueId[],
  paper: Paper,
): Promise<string> => {
  const [first] = issues;
  if (first === undefined) throw new Error(`${listed.id} has no issue`);
  const primary = await showIssue(context.port.tracker, first);
  const { settings } = context.core.loop.state();
  const date = (task.submittedAt ?? task.startedAt ?? '').slice(0, 10);
  const plain = documentPath(settings.docs_root, {
    kind: paper.kind,
    issue: primary,
    span: listed.span,
    date,
  });
  // A later round is kept beside the earlier one: what happened is never overwritten.
  const path = listed.round > 1 ? plain.replace(/\.md$/, `-r${listed.round}.md`) : plain;
  const place = write(context, path, textOf(primary, issues, paper, date));
  for (const id of issues)
    await commentOnce(
      context,
      id,
      formatArtifactComment({ kind: paper.kind, location: place, summary: paper.summary }),
    );
  return place;
};

const textOf = (
  primary: Pick<Issue, 'id' | 'number'>,
  issues: readonly IssueId[],
  { kind, files, text }: Paper,
  date: string,
): string =>
  formatFrontMatter(
    {
      date,
      type: kind,
      ...(issues.length === 1
        ? { github_issue: primary.number ?? primary.id }
        : { primary_issue: primary.number ?? primary.id, github_issues: [...issues] }),
      ...(files === undefined ? {} : { files: [...files] }),
    },
    // Front matter of an agent would speak for the program.
    `\n${parseFrontMatter(text, 'document').value.body.trim()}\n`,
  );

/** The path with this text: the wished one, or the next free name beside another text. */
const write = ({ core }: FlowContext, wished: string, text: string): string => {
  const { disk, random, paths } = core.options;
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? wished : wished.replace(/\.md$/, `~${number}.md`);
    refuseLinks(core, path);
    const place = join(paths.workspace, path);
    const old = readText(disk, place);
    if (old === text) return path;
    if (old !== null) continue;
    disk.mkdir(join(place, '..'));
    replaceFile(disk, random, place, text, paths.directory);
    return path;
  }
};

/** Nothing is written through a link: it could lead out of the workspace. */
const refuseLinks = ({ options }: FlowContext['core'], path: string): void => {
  const parts = path.split('/');
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const part = posix.join(...parts.slice(0, depth));
    if (options.disk.lstat(join(options.paths.workspace, part))?.kind === 'symlink')
      throw new FaultError({
        code: 'document-link',
        what: `${part} is a link, and documents are not written through links`,
        hint: 'put a folder there, or change docs_root',
      });
  }
};
