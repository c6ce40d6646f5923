import { hostname, userInfo } from 'node:os';
import { formatTimestamp } from '../base/clock.ts';
import type { Fault } from '../base/fault.ts';
import { sha256 } from '../base/hash.io.ts';
import { safe } from '../base/safe.ts';
import type { SessionPaths } from '../session/paths.ts';
import { createMailbox } from '../signals/create-mailbox.ts';
import type { Mailbox, Published, Withdrawn } from '../signals/mailbox.ts';
import type { Signal } from '../signals/signal.ts';
import { type Cli, Exit, exitCodes, failure } from './cli.ts';
import type { OpenSession } from './open-session.ts';
import type { World } from './world.ts';

/** `kim@host`, self-declared; `uid-1234@host` of a user whom the system knows by number only. */
export const sender = (): string => `${userName()}@${hostname()}`;

const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 0}`;
  }
};

/** The mailbox of a session for `list`, which changes nothing: not even the folders of somebody else's session are made. */
export const lookIntoMailbox = (world: World, paths: SessionPaths): Pick<Mailbox, 'list'> =>
  mailboxOf(world, paths);

/** The same opened for publishing and claiming. */
export const createSessionMailbox = (world: World, paths: SessionPaths): Mailbox | Fault => {
  const mailbox = mailboxOf(world, paths);
  return mailbox.open() ?? mailbox;
};

const mailboxOf = ({ disk, clock, random, spawn, redact }: World, paths: SessionPaths): Mailbox =>
  createMailbox(disk, clock, random, {
    directory: paths.signals,
    owner: spawn.self,
    isAlive: spawn.isAlive,
    hash: sha256,
    redact,
  });

/** The same for a command: throws the fault when the mailbox cannot be used. */
export const openMailbox = (session: OpenSession): Mailbox => {
  const mailbox = createSessionMailbox(session.world, session.paths);
  if ('code' in mailbox) throw failure(mailbox);
  return mailbox;
};

/** Why a signal can no longer be taken back: what became of it, and by whom. */
export const tooLate = (
  mailbox: Pick<Mailbox, 'list'>,
  idOrFile: string,
  late: Extract<Withdrawn, { kind: 'too-late' }>,
): string => {
  const by = safe(late.by);
  if (late.stage === 'claimed') return `already claimed by ${by}`;
  const entry = mailbox.list().find(({ id, file }) => file === idOrFile || id.startsWith(idOrFile));
  if (entry?.stage === 'rejected')
    return `already rejected${entry.error ? `: ${safe(entry.error)}` : ` by ${by}`}`;
  return `already ${entry?.handling?.action_taken === 'withdrawn' ? 'withdrawn' : 'handled'} by ${by}`;
};

/** Adds what our commands and keys always write: iteration, time, sender. */
export const signed = (world: World, iteration: number, signal: Signal): Signal => ({
  iteration,
  created_at: formatTimestamp(world.clock),
  from: sender(),
  ...signal,
});

/** Drops a signal and says so: `{id, file, written: true}` with `--json`. What becomes of it, the consumer reports. */
export const publish = (cli: Cli, session: OpenSession, signal: Signal, json: boolean): Published => {
  const published = openMailbox(session).publish(signed(session.world, session.state.iteration, signal));
  // What is no signal was written wrongly; anything else is the mailbox's fault.
  if ('code' in published)
    throw published.code === 'signal-unusable' ? new Exit(exitCodes.usage, published) : failure(published);
  if (json) cli.printJson({ id: published.id, file: published.file, written: true });
  else {
    cli.print(`sent ${signal.type}: ${published.file}${laterWords(session, signal)}`);
  }
  return published;
};

const laterWords = ({ host, state }: OpenSession, { type }: Signal): string => {
  if (host?.alive) return '';
  return state.state === 'COMPLETE' && type !== 'RETRY' && type !== 'CANCEL'
    ? '; this session is complete: the next `ralph-tui resume` puts it aside, unless a task was opened again before'
    : '; nobody runs this session now, it is read at the next `ralph-tui resume`';
};
