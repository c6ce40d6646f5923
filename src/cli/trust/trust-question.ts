import { sha256 } from '../../base/hash.io.ts';
import { readFirstLine } from '../../observability/journal-file.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { count } from '../../words/local-time.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import { recallTrust, rememberTrust } from './trust-memory.ts';
import { type Subject, sessionName } from './trust-subjects.ts';

/** The consent needed before anything from the repository runs (src/cli/README.md, Commands; test/README.md, Execution). */
export interface TrustQuestion {
  readonly workspace: string;
  readonly asked: readonly Asked[];
  /** Digest of all names and bytes: an answer holds only for exactly this question. */
  readonly digest: string;
}

/** `since`: when other bytes under this name were trusted, ISO 8601 with the local offset; `null` if never. */
interface Asked extends Subject {
  readonly since: string | null;
}

/** The question about all subjects not yet trusted, or `null` when none is left. */
export const trustQuestion = (
  env: Cli['env'],
  world: World,
  workspace: string,
  subjects: readonly Subject[],
): TrustQuestion | null => {
  const asked = subjects.flatMap((subject): readonly Asked[] => {
    const known = recallTrust(env, world, workspace, subject.name);
    return known?.sha256 === subject.sha256 ? [] : [{ ...subject, since: known?.at ?? null }];
  });
  if (asked.length === 0) return null;
  return {
    workspace,
    asked,
    digest: sha256(JSON.stringify(asked.map(({ name, sha256: of }) => [name, of]))),
  };
};

/** Whether a session was started here or is trusted. */
export const isKnownSession = (env: Cli['env'], world: World, paths: SessionPaths): boolean => {
  const first = readFirstLine(world.disk, paths.journal);
  const known = recallTrust(env, world, paths.workspace, sessionName(paths.session));
  return first !== null && known?.sha256 === sha256(first);
};

/** Saves a yes for these bytes; `false` when that failed and the question will be asked again. */
export const rememberAnswer = (
  env: Cli['env'],
  world: World,
  { workspace, asked }: TrustQuestion,
  at: string,
): boolean =>
  asked
    .map(({ name, sha256: of }) => rememberTrust(env, world, { workspace, name, sha256: of, at }))
    .every((kept) => kept);

/** Lines of one file, and characters of one line, that a person could still read. Beyond them only the rest is counted. */
const mostLines = 400;
const longestLine = 1_500;

/** Everything a person needs before answering, one line each, safe to show. */
export const questionLines = ({ asked }: TrustQuestion, most = mostLines): readonly string[] =>
  asked.flatMap((each, index) => {
    const rest = each.lines.length - most;
    return [
      ...(index > 0 ? [''] : []),
      ...headOf(each),
      ...each.lines.slice(0, most).map((line) => `  ${shortened(line)}`),
      ...(rest > 0 ? [`  … and ${rest} more: read ${each.name} before you agree`] : []),
    ];
  });

const shortened = (line: string): string => {
  const rest = line.length - longestLine;
  return rest > 0 ? `${line.slice(0, longestLine)}… and ${count(rest, 'more character')}` : line;
};

/** `plan.yaml would run 3 commands and set permissions`, for a sentence. */
export const questionSummary = ({ asked }: TrustQuestion): string =>
  asked
    .map((each) =>
      each.since === null
        ? `${each.name} ${each.would}`
        : `${each.name} (changed since last trusted) ${each.would}`,
    )
    .join(', ');

const headOf = ({ name, since, would }: Asked): readonly string[] =>
  since === null
    ? [`${name} ${would}:`]
    : [`${name}: changed since you trusted it on ${formatDay(since)}.`, `It ${would}:`];

/** `2026-11-22 01:30` */
export const formatDay = (at: string): string => at.slice(0, 16).replace('T', ' ');
