import { dirname, join } from 'node:path';
import { type Fault, formatFault } from '../base/fault.ts';
import { readText } from '../base/replace-file.ts';
import { safe, safeBlock } from '../base/safe.ts';
import type { SessionState } from '../pipeline/state.ts';
import type { SessionPaths } from '../session/paths.ts';
import type { Mailbox } from '../signals/mailbox.ts';
import type { Signal } from '../signals/signal.ts';
import type { Intent } from '../store/intent.ts';
import { createSessionMailbox, sender, signed, tooLate } from './publish.ts';
import type { SessionPort } from './screen.tsx';
import { createViewerPort } from './viewer-port.ts';
import type { World } from './world.ts';

/** Keys reach the world as files and in no other way: the mailbox, and the staged files for reading. */
export const createIntentPort = (
  world: World,
  paths: SessionPaths,
  state: () => SessionState | null,
  wake: () => void,
): SessionPort => ({
  viewer: createViewerPort(world, paths),
  perform: async (intent) => {
    const mailbox = createSessionMailbox(world, paths);
    if ('code' in mailbox) throw refused(mailbox, intent);
    if (intent.type === 'withdraw') {
      const signal = state()?.signals.get(intent.id)?.signal;
      takeBack(mailbox, intent.id, '');
      return `withdrawn: ${signal === undefined ? 'the signal' : described(signal)}`;
    }
    // Withdrawn first: were it the other way round, both could be read.
    if (intent.type === 'replace') takeBack(mailbox, intent.id, keptText);
    const published = mailbox.publish(signed(world, state()?.iteration ?? 1, intent.signal));
    if ('code' in published) throw refused(published, intent);
    wake();
    return `sent: ${described(intent.signal)}`;
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

/** What was written and not sent is the newest of the history. */
const keptText = '; your text is kept: {steer.steer}, then ↑';

const refused = (fault: Fault, intent: Intent): Error =>
  new Error(formatFault(fault) + ('signal' in intent && intent.signal.message !== undefined ? keptText : ''));

/** A lost race is an error to the person who pressed the key. */
const takeBack = (mailbox: Mailbox, id: string, kept: string): void => {
  const result = mailbox.withdraw(id, sender());
  if (result.kind === 'unknown' || result.kind === 'ambiguous')
    throw new Error(`There is nothing to withdraw any more${kept}`);
  if (result.kind === 'too-late') throw new Error(`Too late: ${tooLate(mailbox, id, result)}${kept}`);
};

/** `RETRY schema`, `STEER Executor`, `SET max_parallel_executors = 4`: enough to see that the right key was pressed; the Inbox has the rest. */
const described = ({ type, task, target, set }: Signal): string => {
  const message = type === 'STEER' || type === 'INFO';
  const changes = Object.entries(set ?? {}).map(
    ([key, value]) => `${key.split('.').at(-1)} = ${String(value)}`,
  );
  return safe([type, ...changes, task ?? (message && target !== 'ALL' ? target : '')].join(' ').trim());
};
