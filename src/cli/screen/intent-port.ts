import { dirname, join, relative } from 'node:path';
import { type Fault, formatFault } from '../../base/fault.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import { safe, safeBlock } from '../../base/safe.ts';
import type { Engine } from '../../engine/engine.ts';
import { acceptsFiles } from '../../pipeline/agents/accepts-files.ts';
import type { Event } from '../../pipeline/event.ts';
import { noLongerHolds } from '../../pipeline/no-longer-holds.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { Mailbox } from '../../signals/mailbox.ts';
import type { Signal } from '../../signals/signal.ts';
import type { Intent } from '../../store/ports/intent.ts';
import { editTaskCommands } from '../../tasks/task-file.ts';
import type { Cli } from '../cli.ts';
import { confirmAsPerson, signAsPerson } from '../session/proof/signal-proof.ts';
import { createSessionMailbox, sender, signed, tooLate } from '../session/publish.ts';
import { createViewerPort } from '../session/viewer-port.ts';
import type { World } from '../world.ts';
import type { SessionPort } from './screen.tsx';
import { turnOnScreen } from './take-back-on-screen.ts';

/** Turns keys into files, their only effect outside: signals in the mailbox. Also reads the staged files. */
export const createIntentPort = (
  world: World,
  paths: SessionPaths,
  state: () => SessionState | null,
  wake: () => void,
  {
    hosted,
    agree,
    tell = () => {},
    env,
  }: {
    /** Of this program: where its worktrees and its records of signals lie, and whether an agent started it. */
    readonly env: Cli['env'];
    /** The engine, for permissions; absent when another process hosts the session. */
    readonly hosted?: Pick<Engine, 'permit' | 'revoke'>;
    /** Shows a fact that this program wrote into the journal of a session that ended; absent when the journal is followed. */
    readonly tell?: (event: Event) => void;
    /** Remembers that a person wrote this text of a file, by its path in the workspace. */
    readonly agree?: (file: string, text: string) => void;
  },
): SessionPort => ({
  viewer: createViewerPort(world, paths, env),
  perform: async (intent) => {
    if (intent.type === 'permit') {
      const { request, decision, why } = intent;
      if (!hosted) throw new Error(answeredElsewhere);
      const refusal = hosted.permit({
        request,
        decision,
        by: sender(),
        ...(why === undefined ? {} : { why }),
      });
      if (refusal !== null) throw new Error(refusal);
      return decision === 'no'
        ? 'refused'
        : decision === 'session'
          ? 'allowed for this session'
          : 'allowed once';
    }
    if (intent.type === 'revoke') {
      if (!hosted) throw new Error(answeredElsewhere);
      for (const key of state()?.remembered.keys() ?? []) hosted.revoke(key, sender());
      return 'taken back: agents ask again';
    }
    if (intent.type === 'take-back') return turnOnScreen({ env, world, paths, state: state() }, intent, tell);
    const mailbox = createSessionMailbox(world, paths);
    if ('code' in mailbox) throw refused(mailbox, intent);
    if (intent.type === 'confirm') {
      confirmAsPerson(env, world, paths, { id: intent.id, by: sender() });
      wake();
      const signal = state()?.signals.get(intent.id)?.signal;
      return `confirmed: ${signal === undefined ? 'the file' : described(signal)}`;
    }
    if (intent.type === 'withdraw') {
      const signal = state()?.signals.get(intent.id)?.signal;
      takeBack(mailbox, intent.id, '');
      return `withdrawn: ${signal === undefined ? 'the signal' : described(signal)}`;
    }
    // The replaced signal is withdrawn first. In the other order both could be read.
    const now = state();
    const tooLateNow = now === null ? null : noLongerHolds(intent.signal, now);
    if (tooLateNow !== null) throw new Error(`Not sent: ${tooLateNow}`);
    if (intent.type === 'replace') takeBack(mailbox, intent.id, keptText);
    const asked = 'commands' in intent ? writeCommands(world, paths, now, intent, agree) : '';
    const published = mailbox.publish(
      signed(world, state()?.iteration ?? 1, intent.signal),
      signAsPerson(env, world, paths, sender(), now !== null && acceptsFiles(now)),
    );
    if ('code' in published) throw refused(published, intent);
    wake();
    return `sent: ${described(intent.signal)}${asked}`;
  },
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
  if (text === null) throw new Error(`Not sent: the task file ${file} is gone`);
  const edited = editTaskCommands(text, commands);
  agree?.(relative(paths.workspace, file), edited);
  replaceFile(world.disk, world.random, file, edited);
  return ', with the edited command';
};

const answeredElsewhere = 'Permissions are answered on the screen that hosts the session';

/** The unsent text is the newest entry of the history. */
const keptText = '; your text is kept: {steer.steer}, then ↑';

const refused = (fault: Fault, intent: Intent): Error =>
  new Error(formatFault(fault) + ('signal' in intent && intent.signal.message !== undefined ? keptText : ''));

/** Reports a lost race as an error to the person who pressed the key. */
const takeBack = (mailbox: Mailbox, id: string, kept: string): void => {
  const result = mailbox.withdraw(id, sender());
  if (result.kind === 'unknown' || result.kind === 'ambiguous')
    throw new Error(`There is nothing to withdraw any more${kept}`);
  if (result.kind === 'too-late') throw new Error(`Too late: ${tooLate(mailbox, id, result)}${kept}`);
};

/**
 * `RETRY schema`, `STEER Executor`, `SET max_parallel_executors = 4`: enough to confirm the right key. The
 * Inbox shows the rest.
 */
const described = ({ type, task, target, set }: Signal): string => {
  const message = type === 'STEER' || type === 'INFO';
  const changes = Object.entries(set ?? {}).map(
    ([key, value]) => `${key.split('.').at(-1)} = ${String(value)}`,
  );
  return safe([type, ...changes, task ?? (message && target !== 'ALL' ? target : '')].join(' ').trim());
};
