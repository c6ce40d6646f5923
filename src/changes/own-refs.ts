import { join } from 'node:path';
import { FaultError } from '../base/fault.ts';
import { printedCommand } from '../base/process/printed-command.ts';
import {
  askForRefs,
  type ChangesPorts,
  type Context,
  readRepositoryRefs,
  readTheseRefs,
  refuse,
  repositoryPlace,
  runGit,
} from './context.ts';
import { refuseForgedCommits } from './git/forged.ts';
import { type RefNames, shortBranch } from './git/ref-names.ts';
import { gitFault } from './git/repository.ts';
import type { Opening } from './port.ts';

/**
 * Takes over the refs of a session as they are when it is opened; from then on only what this program writes counts. The tip of the branch and the
 * snapshots are also known from records outside the repository, which win.
 */
export const takeOver = async (context: Context, recorded: Opening['recorded'] = []): Promise<void> => {
  const { names, own } = context;
  const found = await readRepositoryRefs(context);
  const refs = new Map([...found].filter(([ref]) => !ref.startsWith(`${names.attempts}/`)));
  for (const { before, after, ...attempt } of recorded) {
    const { start, before: first, after: last } = names.of(attempt);
    // An attempt of a worktree begins at its commit; a shared one has no start.
    if (before !== null) refs.set(first, before);
    if (before !== null && refs.has(start)) refs.set(start, before);
    if (after !== null) refs.set(last, after);
  }
  const known = readTip(context);
  const now = refs.get(names.branch);
  const tip = known === null ? now : now === known.from ? known.from : known.to;
  if (tip !== undefined) {
    refs.set(names.branch, tip);
    if (known === null || known.from !== known.to) writeTip(context, { from: tip, to: tip });
  }
  own.refs = refs;
};

/** Refuses to work with a branch of the session that somebody else has moved or deleted. */
export const refuseMoved = async (context: Context): Promise<void> => {
  const { names, own } = context;
  const tip = own.refs?.get(names.branch);
  if (tip === undefined) return;
  const now = (await readTheseRefs(context, [names.branch])).get(names.branch);
  if (now === tip) return;
  const what = now === undefined ? 'deleted' : `moved to ${now.slice(0, 12)}`;
  throw refuse(
    movedCode,
    `someone else has ${what} the branch ${shortBranch(names.branch)}, which was at ${tip.slice(0, 12)}`,
    {
      hint: `\`${printedCommand('git', 'update-ref', names.branch, tip)}\` puts it back`,
      state: movedState(now),
    },
  );
};

/** The code of that fault. */
export const movedCode = 'branch-moved';

const movedState = (now: string | undefined): string => `at ${now}`;

/** Goes on from where somebody else has moved the branch to, if the person was asked about that place. */
export const acceptMoved = async (context: Context, state: string): Promise<void> => {
  const { names, own } = context;
  const now = (await readTheseRefs(context, [names.branch])).get(names.branch);
  if (now === undefined || own.refs === null || own.refs.get(names.branch) === now) return;
  if (movedState(now) !== state) return;
  writeTip(context, { from: now, to: now });
  own.refs.set(names.branch, now);
};

/** Moves the session's branch from where this program left it. Refused when it is elsewhere, also when that happens in this moment. */
export const moveBranch = async (context: Context, to: string): Promise<void> => {
  const { names, own } = context;
  const from = own.refs?.get(names.branch);
  if (from === undefined || own.refs === null) throw refuse('not-open', 'the session is not open');
  await refuseMoved(context);
  if (from === to) return;
  await refuseForgedCommits(context, to);
  writeTip(context, { from, to });
  const answer = await askForRefs(context, [`update ${names.branch}\0${to}\0${from}\0`]);
  if (answer.code !== 0) {
    await refuseMoved(context);
    throw new FaultError(gitFault('move the branch of the session', answer));
  }
  own.refs.set(names.branch, to);
  writeTip(context, { from: to, to });
};

/** A branch that holds nothing beside `base` is no result: it goes, unless someone has it checked out or moved it. */
export const dropEmptyBranch = async (context: Context, base: string): Promise<void> => {
  const { names, own } = context;
  if (base === '' || own.refs?.get(names.branch) !== base) return;
  const list = ['for-each-ref', '--format=%(worktreepath)', names.branch];
  const place = await runGit(context, 'see whether the branch is checked out', list);
  if (place.toString().trim() === '') await askForRefs(context, [`delete ${names.branch}\0${base}\0`]);
};

/** Makes such a branch again, also after somebody else removed it: there was nothing on it. */
export const restoreEmptyBranch = async (context: Context, base: string): Promise<void> => {
  const { names, own } = context;
  if (own.refs?.get(names.branch) !== base) return;
  const answer = await askForRefs(context, [`create ${names.branch}\0${base}\0`]);
  if (answer.code !== 0) throw new FaultError(gitFault('make the branch of the session again', answer));
};

/** Where the branch is. While it moves, from where to where: after a crash in between it is at one of both. */
interface Tip {
  readonly from: string;
  readonly to: string;
}

const tipsOf = (ports: Parameters<typeof repositoryPlace>[0], repository: Context['repository']): string =>
  `${repositoryPlace(ports, repository)}.tips`;

const tipFile = (context: Context): string => join(tipsOf(context, context.repository), context.names.id);

const readTip = (context: Context): Tip | null => parseTip(context.files.read(tipFile(context)));

const parseTip = (text: string | null): Tip | null => {
  const [, from, to] = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64})\n$/.exec(text ?? '') ?? [];
  return from === undefined || to === undefined ? null : { from, to };
};

/** Whether an earlier session left the branch of the same stream at this commit, by the records outside the repository. */
export const wasLeftAt = (
  ports: ChangesPorts,
  repository: Context['repository'],
  { id }: Pick<RefNames, 'id'>,
  tip: string,
): boolean => {
  const stream = id.slice(id.indexOf('+'));
  const tips = tipsOf(ports, repository);
  return ports.files
    .list(tips)
    .some((name) => name.endsWith(stream) && parseTip(ports.files.read(join(tips, name)))?.to === tip);
};

const writeTip = (context: Context, { from, to }: Tip): void => {
  context.files.makeDirectory(join(tipFile(context), '..'));
  context.files.write(tipFile(context), new TextEncoder().encode(`${from} ${to}\n`));
};

/** Forgets a session of which nothing is left. */
export const forgetTip = (context: Context): void => {
  context.files.unlink(tipFile(context));
  context.files.removeEmpty(join(tipFile(context), '..'));
};
