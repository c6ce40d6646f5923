import { dirname, join, relative } from 'node:path';
import type { Intent } from '../../../components/ports/intent.ts';
import { type Fault, formatFault } from '../../base/fault.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import { safe, safeBlock } from '../../base/safe.ts';
import type { Engine } from '../../engine/engine.ts';
import { acceptsFiles } from '../../pipeline/agents/accepts-files.ts';
import type { Event } from '../../pipeline/event.ts';
import { noLongerHolds } from '../../pipeline/no-longer-holds.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { isMessage } from '../../signals/kinds.ts';
import type { Mailbox } from '../../signals/mailbox.ts';
import type { Signal } from '../../signals/signal.ts';
import { editTaskCommands } from '../../tasks/task-file.ts';
import type { Cli } from '../cli.ts';
import { sendAnswer } from '../session/answers/send-answer.ts';
import { isDead } from '../session/host-life.ts';
import { hostOf } from '../session/open-session.ts';
import { confirmAsPerson, signAsPerson } from '../session/proof/signal-proof.ts';
import { createSessionMailbox, sender, signed, tooLate } from '../session/publish.ts';
import { createViewerPort } from '../session/viewer-port.ts';
import type { World } from '../world.ts';
import type { SessionPort } from './screen.tsx';
import { turnOnScreen } from './take-back-on-screen.ts';

/** What the intents of one session are performed with. */
interface SessionHands {
  readonly world: World;
  readonly paths: SessionPaths;
  readonly state: () => SessionState | null;
  /** Has the engine look at its mailbox now. */
  readonly wake: () => void;
  /** Of this program: where its worktrees and its records of signals are, and whether an agent started it. */
  readonly env: Cli['env'];
  /** The engine, for permissions; absent when another process hosts the session, which is then asked over its socket. */
  readonly hosted?: Pick<Engine, 'permit' | 'revoke'>;
  /** Shows a fact that this program wrote into the journal of a session that ended; absent when the journal is followed. */
  readonly tell?: (event: Event) => void;
  /** Remembers that a person wrote this text of a file, by its path in the workspace. */
  readonly agree?: (file: string, text: string) => void;
}

type SessionIntent = Parameters<SessionPort['perform']>[0];
type IntentOf<T extends SessionIntent['type']> = Extract<SessionIntent, { readonly type: T }>;

/** Turns keys into files, their only effect outside: signals in the mailbox. Also reads the staged files. */
export const createIntentPort = (
  world: World,
  paths: SessionPaths,
  state: () => SessionState | null,
  wake: () => void,
  rest: Omit<SessionHands, 'world' | 'paths' | 'state' | 'wake'>,
): SessionPort => ({
  viewer: createViewerPort(world, paths, rest.env),
  perform: async (intent) => performed({ world, paths, state, wake, ...rest }, intent),
  preview: async (file) => {
    const now = state();
    const known = now && [...now.knowledge.staged, ...now.knowledge.carried, ...(now.gate?.files ?? [])];
    if (!now || !known?.includes(file)) return null;
    const folder = paths.iteration(now.iteration).knowledge;
    const path = join(folder, file);
    if (!`${dirname(path)}/`.startsWith(folder)) return null;
    try {
      const text = readText(world.disk, path, 1024 * 1024);
      return text === null ? null : safeBlock(world.redact(text));
    } catch {
      return null;
    }
  },
});

/** Performs an intent of the session; those about other sessions are in `perform-intent.ts`. */
const performed = (hands: SessionHands, intent: SessionIntent): Promise<string> | string => {
  switch (intent.type) {
    case 'permit':
      return permit(hands, intent);
    case 'revoke':
      return revoke(hands);
    case 'take-back':
      return takeWorkBack(hands, intent);
    case 'confirm':
      return confirm(hands, intent);
    case 'withdraw':
      return withdraw(hands, intent);
    case 'publish':
    case 'replace':
      return send(hands, intent);
  }
};

const permit = async (
  { hosted, env, world, paths }: SessionHands,
  { request, decision, why }: IntentOf<'permit'>,
): Promise<string> => {
  const answer = { request, decision, ...(why === undefined ? {} : { why }) };
  const refusal = hosted
    ? hosted.permit({ ...answer, by: sender() })
    : await sendAnswer(env, world, paths, { type: 'permit', ...answer });
  if (refusal !== null) throw new Error(refusal);
  return { no: 'refused', session: 'allowed for this session', once: 'allowed once' }[decision];
};

const revoke = async ({ hosted, env, world, paths, state }: SessionHands): Promise<string> => {
  for (const key of state()?.remembered.keys() ?? []) {
    const refusal = hosted
      ? hosted.revoke(key, sender())
      : await sendAnswer(env, world, paths, { type: 'revoke', key });
    if (refusal) throw new Error(refusal);
  }
  return 'revoked: agents will ask again';
};

const confirm = (hands: SessionHands, intent: IntentOf<'confirm'>): string => {
  const { world, paths, env, wake } = hands;
  mailboxFor(hands, intent);
  confirmAsPerson(env, world, paths, { id: intent.id, by: sender() });
  wake();
  return `confirmed: ${nameOf(hands, intent.id, 'the file')}`;
};

const withdraw = (hands: SessionHands, intent: IntentOf<'withdraw'>): string => {
  const name = nameOf(hands, intent.id, 'the signal');
  takeBack(mailboxFor(hands, intent), intent.id, '');
  return `withdrawn: ${name}`;
};

const send = (hands: SessionHands, intent: IntentOf<'publish' | 'replace'>): string => {
  const { world, paths, env, state, wake } = hands;
  const mailbox = mailboxFor(hands, intent);
  const now = state();
  const tooLateNow = now === null ? null : noLongerHolds(intent.signal, now);
  if (tooLateNow !== null) throw new Error(`Not sent: ${tooLateNow}`);
  // The replaced signal is withdrawn first. In the other order both could be read.
  if (intent.type === 'replace') takeBack(mailbox, intent.id, keptText);
  const asked = 'commands' in intent ? writeCommands(world, paths, now, intent, hands.agree) : '';
  const published = mailbox.publish(
    signed(world, now?.iteration ?? 1, intent.signal),
    signAsPerson(env, world, paths, sender(), now !== null && acceptsFiles(now)),
  );
  if ('code' in published) throw refused(published, intent);
  wake();
  return `sent: ${described(intent.signal)}${asked}`;
};

/** A session that runs takes work back itself, between two merges. */
const takeWorkBack = (hands: SessionHands, intent: IntentOf<'take-back'>): Promise<string> | string => {
  const { world, paths, tell = () => {} } = hands;
  const state = hands.state();
  if (state === null || !state.running || isDead(hostOf(world, paths)))
    return turnOnScreen({ ...hands, state }, intent, tell);
  const { way, task, attempt } = intent;
  const type = way === 'undo' ? 'UNDO' : 'REDO';
  const one = attempt === null ? {} : { attempt };
  return send(hands, { type: 'publish', signal: { type, target: 'ALL', task, ...one } });
};

const mailboxFor = ({ env, world, paths }: SessionHands, intent: SessionIntent): Mailbox => {
  const mailbox = createSessionMailbox(env, world, paths);
  if ('code' in mailbox) throw refused(mailbox, intent);
  return mailbox;
};

const nameOf = ({ state }: SessionHands, id: string, unknown: string): string => {
  const signal = state()?.signals.get(id)?.signal;
  return signal === undefined ? unknown : described(signal);
};

/**
 * Writes the commands of a retry into the task's file, as an editor would. The engine does not ask about them again, because `agree` remembers
 * that a person wrote them. Returns what to add to the sentence about the signal.
 */
const writeCommands = (
  world: World,
  paths: SessionPaths,
  state: SessionState | null,
  { signal, commands }: Extract<Intent, { type: 'publish' }>,
  agree: ((file: string, text: string) => void) | undefined,
): string => {
  const task = state?.tasks.get(signal.task ?? '')?.definition;
  if (task === undefined || commands === undefined) return '';
  const file = paths.iteration(task.iteration).task(task.id);
  const text = readText(world.disk, file, 1024 * 1024);
  if (text === null) throw new Error(`Not sent: the task file ${file} no longer exists`);
  const edited = editTaskCommands(text, commands);
  agree?.(relative(paths.workspace, file), edited);
  replaceFile(world.disk, world.random, file, edited);
  return ', with the edited command';
};

/** The unsent text is the newest entry of the history. */
const keptText = '; your text is kept: press {steer.steer}, then ↑';

const refused = (fault: Fault, intent: Intent): Error =>
  new Error(formatFault(fault) + ('signal' in intent && intent.signal.message !== undefined ? keptText : ''));

/** Reports a lost race as an error to the person who pressed the key. */
const takeBack = (mailbox: Mailbox, id: string, kept: string): void => {
  const result = mailbox.withdraw(id, sender());
  if (result.kind === 'unknown' || result.kind === 'ambiguous')
    throw new Error(`There is nothing left to withdraw${kept}`);
  if (result.kind === 'too-late') throw new Error(`Too late: ${tooLate(mailbox, id, result)}${kept}`);
};

/**
 * `RETRY schema`, `STEER Executor`, `SET max_parallel_executors = 4`: enough to confirm the right key. The
 * Inbox shows the rest.
 */
export const described = ({ type, task, target, set }: Signal): string => {
  const changes = Object.entries(set ?? {}).map(
    ([key, value]) => `${key.split('.').at(-1)} = ${String(value)}`,
  );
  return safe(
    [type, ...changes, task ?? (isMessage(type) && target !== 'ALL' ? target : '')].join(' ').trim(),
  );
};
