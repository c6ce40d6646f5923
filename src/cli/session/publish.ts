import { hostname, userInfo } from 'node:os';
import { formatTimestamp } from '../../base/clock.ts';
import type { Fault } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import { safe } from '../../base/safe.ts';
import { createAuthors } from '../../engine/mailbox/authors.ts';
import { routingContext } from '../../engine/mailbox/routing-context.ts';
import { acceptsFiles } from '../../pipeline/agents/accepts-files.ts';
import { isHeldOnResume } from '../../pipeline/evolve/session.ts';
import { noLongerHolds } from '../../pipeline/no-longer-holds.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { isComplete } from '../../session/status.ts';
import { kinds } from '../../signals/kinds.ts';
import { createMailbox } from '../../signals/mailbox/create-mailbox.ts';
import { type Attribute, withAuthors } from '../../signals/mailbox/with-authors.ts';
import type { Mailbox, MailboxOptions, Published, Sign, Withdrawn } from '../../signals/mailbox.ts';
import { readerWords } from '../../signals/reader-words.ts';
import type { Signal } from '../../signals/signal.ts';
import { resumeCommand } from '../../words/session-command.ts';
import { type Cli, Exit, exitCodes, failure, usage } from '../cli.ts';
import { isStartedByAgent } from '../started-by-agent.ts';
import type { World } from '../world.ts';
import { hostWords } from './host-life.ts';
import type { OpenSession } from './open-session.ts';
import { readProofs, signAsPerson } from './proof/signal-proof.ts';

/** `kim@host`, self-declared; `uid-1234@host` for a user without a name. */
export const sender = (): string => `${userName()}@${hostname()}`;

const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 0}`;
  }
};

/** The mailbox for `list` only: creates no folders, so a foreign session stays unchanged. */
export const lookIntoMailbox = (world: World, paths: SessionPaths): Pick<Mailbox, 'list'> =>
  mailboxOf(world, paths, {});

/** Opens the mailbox for publishing, claiming and withdrawing. */
export const createSessionMailbox = (env: Cli['env'], world: World, paths: SessionPaths): Mailbox | Fault => {
  const { spend } = readProofs(env, world, paths);
  return opened(mailboxOf(world, paths, { spend }));
};

const opened = (mailbox: Mailbox): Mailbox | Fault => mailbox.open() ?? mailbox;

const mailboxOf = (
  { disk, clock, random, spawn, redact }: World,
  paths: SessionPaths,
  more: Pick<MailboxOptions, 'spend'>,
): Mailbox =>
  createMailbox(disk, clock, random, {
    directory: paths.signals,
    owner: spawn.self,
    isAlive: spawn.isAlive,
    hash: sha256,
    redact,
    ...more,
  });

/** Opens the mailbox for a command; throws its fault. Each signal that it returns has the author that is known. */
export const openMailbox = (env: Cli['env'], session: OpenSession): Mailbox => {
  const mailbox = usable(createSessionMailbox(env, session.world, session.paths));
  return withAuthors(mailbox, authorsOf(env, session));
};

const usable = (mailbox: Mailbox | Fault): Mailbox => {
  if ('code' in mailbox) throw failure(mailbox);
  return mailbox;
};

/** Every signal of a session with the author that is known. Changes nothing. */
export const listSignals = (env: Cli['env'], session: OpenSession): ReturnType<Mailbox['list']> =>
  withAuthors(mailboxOf(session.world, session.paths, {}), authorsOf(env, session)).list();

const authorsOf = (env: Cli['env'], { world, paths, state }: OpenSession): Attribute =>
  createAuthors({ proofs: readProofs(env, world, paths) }, () => state);

/** Why a signal can no longer be withdrawn: its outcome and its consumer. */
export const tooLate = (
  mailbox: Pick<Mailbox, 'list'>,
  idOrFile: string,
  late: Extract<Withdrawn, { kind: 'too-late' }>,
): string => {
  const by = safe(readerWords(late.by));
  if (late.stage === 'claimed') return `already taken by ${by}`;
  const entry = mailbox.list().find(({ id, file }) => file === idOrFile || id.startsWith(idOrFile));
  if (entry?.stage === 'rejected')
    return `already rejected${entry.error ? `: ${safe(entry.error)}` : ` by ${by}`}`;
  return `already ${entry?.handling?.outcome === 'withdrawn' ? 'withdrawn' : 'handled'} by ${by}`;
};

/** Adds the fields that all our commands and keys write: iteration, time, sender. */
export const signed = (world: World, iteration: number, signal: Signal): Signal => ({
  iteration,
  created_at: formatTimestamp(world.clock),
  from: sender(),
  ...signal,
});

/**
 * Publishes a signal and prints it: `{id, file, written: true}` with `--json`. The consumer reports its outcome
 * later.
 */
export const publish = (cli: Cli, session: OpenSession, signal: Signal, json: boolean): Published => {
  const { world, paths } = session;
  refuseAgent(cli.env, session, signal);
  const published = sendSignal(
    session,
    signal,
    signAsPerson(cli.env, world, paths, sender(), acceptsFiles(session.state)),
  );
  if (json) cli.printJson({ id: published.id, file: published.file, written: true });
  else {
    cli.print(`sent ${signal.type}: ${published.file}${laterWords(session, signal)}`);
  }
  return published;
};

/** An agent gets no record: its file would only wait to be confirmed. */
const refuseAgent = (env: Cli['env'], { state }: OpenSession, signal: Signal): void => {
  if (!isStartedByAgent(env) || acceptsFiles(state)) return;
  if (!kinds[signal.type].decides(signal, routingContext(state))) return;
  throw usage(
    'only a person can decide this, but this command was started by an agent or by a command running in a session',
    'do it on the screen, or in your own terminal',
  );
};

/**
 * Publishes a signal. An order that is too late for the session's state is refused with exit 2, and nothing is written. `sign`: records that a person
 * sends it; absent for a program.
 */
export const sendSignal = (session: OpenSession, signal: Signal, sign?: Sign): Published => {
  const tooLateNow = noLongerHolds(signal, session.state);
  if (tooLateNow !== null)
    throw usage(
      `${signal.type} was not sent: ${safe(tooLateNow)}`,
      `\`ralph-tui status --session ${session.paths.session}\` shows the status of the session`,
      'no-longer-holds',
    );
  const mailbox = usable(opened(mailboxOf(session.world, session.paths, {})));
  const published = mailbox.publish(signed(session.world, session.state.iteration, signal), sign);
  // An unusable signal is a usage error; any other fault is the mailbox's.
  if ('code' in published)
    throw published.code === 'signal-unusable' ? new Exit(exitCodes.usage, published) : failure(published);
  return published;
};

/** Completes the sentence "sent": the reader of the signal, and the time of reading. */
export const laterWords = (session: OpenSession, { type }: Signal): string => {
  const { host, state, layout, paths } = session;
  if (!layout.ours) return '; the program that runs this session will read it';
  if (host?.elsewhere !== undefined) return `; its host: ${hostWords(host)}`;
  if (host?.alive) return '';
  return isComplete(state) && type !== 'RETRY' && type !== 'CANCEL'
    ? `; this session has ended: the next \`ralph-tui resume ${paths.session}\` will set it aside unless a task is reopened first`
    : `; no process is running this session now, so it will be read at the next \`${resumeLine(session)}\``;
};

/** The command that continues the session. */
export const resumeLine = (session: OpenSession): string =>
  resumeCommand(session.paths.session, isHeld(session));

/** Whether a resume would be held. A resume counts limits again. */
export const isHeld = (session: OpenSession): boolean => isHeldOnResume(session.state) && !isLifted(session);

/** Whether a RESUME waits, which the next host reads first. */
export const isLifted = ({ world, paths }: OpenSession): boolean =>
  lookIntoMailbox(world, paths)
    .list()
    .some(({ stage, signal }) => stage === 'pending' && signal?.type === 'RESUME');
