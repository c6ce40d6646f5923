import { join } from 'node:path';
import { DiskError } from '../base/disk.ts';
import { type Fault, FaultError, toFault } from '../base/fault.ts';
import type { RunningHash } from '../base/hash.io.ts';
import type { WorkFiles } from './files/work-files.ts';
import { linesOf, textOf } from './git/git-text.ts';
import { type OwnObjects, passOn, tellAnswered } from './git/own-objects.ts';
import { readRefFiles } from './git/ref-files.ts';
import type { RefNames } from './git/ref-names.ts';
import { gitFault, type Located } from './git/repository.ts';
import type { Git, GitAnswer, GitCall } from './git.ts';
import type { Memory } from './memory.ts';
import type { Attempt, Opening } from './port.ts';
import type { AttemptRecord } from './reader.ts';
import type { Result } from './result.ts';

/** What the room needs from outside. */
export interface ChangesPorts {
  readonly git: Git;
  readonly files: WorkFiles;
  /** The directory of all worktrees, absolute, outside every repository: `<state>/worktrees`. */
  readonly root: string;
  /** A short name no other call gets. */
  readonly unique: () => string;
  readonly hash: (text: string) => string;
  /** The hashes of git. */
  readonly running: Readonly<Record<'sha1' | 'sha256', () => RunningHash>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Where git looks for what a person says for all repositories: their home directory, and its folder of git's settings. */
  readonly personal: { readonly home: string; readonly settings: string };
}

/** One session's view of its repository. */
export interface Context extends ChangesPorts, Memory {
  readonly opening: Opening;
  readonly repository: Located;
  readonly names: RefNames;
  /** The directory of the session's worktrees, and of temporary files. */
  readonly place: string;
  /** The tip of the branch of an earlier session that this one continues; `null`: it begins or opens its own. */
  readonly continued: string | null;
  /** `null`: what git writes goes into the repository at once. */
  readonly objects: OwnObjects | null;
}

/** A work tree of ours: its git directory and its top. */
export interface WorkTree {
  readonly gitDir: string;
  readonly root: string;
}

/** The author and committer of a commit. */
export interface Identity {
  readonly name: string;
  readonly email: string;
  /** Of the time, such as `+0100`. */
  readonly zone: string;
}

/** The name and address on commits that are not the person's: snapshots, and all commits where git knows no user. */
export const ownIdentity: Identity = {
  name: 'ralph-tui',
  email: 'ralph-tui@localhost',
  zone: '+0000',
};

/** The directory of a repository's worktrees: its name and enough of a hash to tell two of one name apart. */
export const repositoryPlace = (
  { root, hash }: Pick<ChangesPorts, 'root' | 'hash'>,
  repository: Pick<Located, 'commonDir' | 'root' | 'prefix'>,
): string => {
  const name =
    repository.root
      .split('/')
      .at(-1)
      ?.replace(/[^A-Za-z0-9_.-]/g, '_') ?? '';
  return join(root, `${name}-${hash(`${repository.root}\n${repository.prefix}`).slice(0, 12)}`);
};

/** The mark of the session's git processes, in their environment. */
export const markerOf = ({ place }: Pick<Context, 'place'>): string => `changes:${place}`;

type Extra = Omit<GitCall, 'args' | 'cwd' | 'gitDir' | 'workTree' | 'marker'> & { readonly in?: WorkTree };

/** Runs git in the person's repository, or in a work tree of ours. */
export const tryGit = async (
  context: Context,
  args: readonly string[],
  extra: Extra = {},
): Promise<GitAnswer> => {
  const { in: tree = context.repository, ...rest } = extra;
  const answer = await context.git.run({
    ...(isOfSession(context, tree) ? ownStore(context) : {}),
    ...rest,
    args,
    cwd: tree.root,
    gitDir: tree.gitDir,
    workTree: tree.root,
    marker: markerOf(context),
  });
  tellAnswered(context, args[0]);
  return answer;
};

/** A repository inside a work tree has its own objects. */
const isOfSession = ({ repository, objects }: Context, { gitDir }: WorkTree): boolean =>
  objects?.isUsed === true &&
  (gitDir === repository.gitDir || gitDir.startsWith(`${repository.commonDir}/worktrees/`));

/** The part of a call that says where it writes objects. */
export const ownStore = ({ objects }: Pick<Context, 'objects'>): Pick<GitCall, 'objects'> =>
  objects === null ? {} : { objects: { directory: objects.directory, also: objects.of } };

/** As `tryGit`, for calls that must work: a failure is thrown to the edge of the room, where it becomes a `Result`. */
export const runGit = async (
  context: Context,
  doing: string,
  args: readonly string[],
  extra: Extra = {},
): Promise<Uint8Array> => {
  const answer = await tryGit(context, args, extra);
  if (answer.code !== 0) throw new FaultError(gitFault(doing, answer));
  return answer.out;
};

/** As `runGit`, when the answer is one name. */
export const askGit = async (...call: Parameters<typeof runGit>): Promise<string> =>
  textOf(await runGit(...call)).trim();

/** Runs a function of the room. Its faults, and those of the file system, become a value. */
export const asResult = async <T>(run: () => Promise<T>): Promise<Result<T>> => {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    if (error instanceof FaultError || error instanceof DiskError)
      return { ok: false, fault: toFault(error) };
    throw error;
  }
};

/** Stops a function of the room with a fault. */
export const refuse = (code: string, what: string, more: Partial<Fault> = {}): FaultError =>
  new FaultError({ code, what, ...more });

/**
 * The refs of the session, or those of one attempt beside the session's own, by name. In an open session they are what this program wrote, whatever
 * the repository says now: every agent can write there. Only the branch of an attempt is as its agent left it.
 */
export const readRefs = async (
  context: Context,
  attempt: Attempt | null = null,
): Promise<ReadonlyMap<string, string>> => {
  const { names, own } = context;
  if (own.refs === null) return readRepositoryRefs(context, attempt);
  const wanted = attempt === null ? null : new Set(names.beside(attempt));
  const found = new Map([...own.refs].filter(([ref]) => wanted?.has(ref) ?? true));
  const branches =
    attempt === null
      ? await listRefs(context, [names.attempts])
      : await readTheseRefs(context, [names.of(attempt).branch]);
  for (const [ref, id] of branches) found.set(ref, id);
  return found;
};

/** As they are in the repository. */
export const readRepositoryRefs = async (
  context: Context,
  attempt: Attempt | null = null,
): Promise<ReadonlyMap<string, string>> => {
  const { names } = context;
  const known = attempt && readRefFiles(context, names.beside(attempt));
  if (known) return known;
  return listRefs(
    context,
    attempt === null ? names.all : [names.branch, names.own, ...names.of(attempt).all],
  );
};

/** Single refs as they are in the repository, without a process where git keeps them in files. */
export const readTheseRefs = async (
  context: Context,
  refs: readonly string[],
): Promise<ReadonlyMap<string, string>> => readRefFiles(context, refs) ?? listRefs(context, refs);

const listRefs = async (
  context: Context,
  wanted: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const list = ['for-each-ref', '--format=%(objectname) %(refname)', ...wanted];
  const out = await runGit(context, 'list its refs', list);
  return new Map(
    linesOf(out).map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]),
  );
};

/** Changes several refs at once: all or none. `null` deletes. A ref that was made to lead to another one is replaced, not followed. */
export const writeRefs = async (
  context: Context,
  refs: Readonly<Record<string, string | null>>,
): Promise<void> => {
  const lines = Object.entries(refs).map(([ref, to]) =>
    to === null ? `delete ${ref}\0\0` : `update ${ref}\0${to}\0\0`,
  );
  const answer = await askForRefs(context, lines);
  if (answer.code !== 0) throw new FaultError(gitFault('write its refs', answer));
  for (const [ref, to] of Object.entries(refs)) {
    if (ref.startsWith(`${context.names.attempts}/`)) continue;
    if (to === null) context.own.refs?.delete(ref);
    else context.own.refs?.set(ref, to);
  }
};

/** Asks git to change refs, each as a command of `update-ref -z --stdin`. */
export const askForRefs = (context: Context, lines: readonly string[]): Promise<GitAnswer> => {
  passOn(context);
  return context.staying.refs.ask(
    `start\0${lines.map((line) => `option no-deref\0${line}`).join('')}commit\0`,
    'commit: ok\n',
  );
};

/** The path of an attempt's worktree. */
export const worktreePath = (context: Context, attempt: Attempt): string =>
  join(context.place, context.names.directoryOf(attempt));

/** "schema (attempt 2)", for sentences. */
export const nameOf = ({ task, attempt }: Pick<AttemptRecord, 'task' | 'attempt'>): string =>
  `${task} (attempt ${attempt})`;
