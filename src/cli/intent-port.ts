import { dirname, join } from 'node:path';
import { type Fault, formatFault } from '../base/fault.ts';
import { readText } from '../base/replace-file.ts';
import { safe, safeBlock } from '../base/safe.ts';
import type { SessionState } from '../pipeline/state.ts';
import type { SessionPaths } from '../session/paths.ts';
import type { Withdrawn } from '../signals/mailbox.ts';
import type { Signal } from '../signals/signal.ts';
import type { Intent } from '../store/intent.ts';
import { createSessionMailbox, sender, signed } from './publish.ts';
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
    if (intent.type === 'withdraw') return takenBack(mailbox.withdraw(intent.id, sender()), '');
    // Withdrawn first: were it the other way round, both could be read.
    if (intent.type === 'replace') takenBack(mailbox.withdraw(intent.id, sender()), keptText);
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
const takenBack = (result: Withdrawn, kept: string): string => {
  if (result.kind === 'withdrawn') return `withdrawn: ${result.file}`;
  throw new Error(
    result.kind === 'too-late'
      ? `Too late: already ${result.stage === 'processed' ? 'handled' : 'claimed'} by ${safe(result.by)}${kept}`
      : `There is nothing to withdraw any more${kept}`,
  );
};

/** `RETRY schema`, `STEER Executor`: enough to see that the right key was pressed; the Inbox has the rest. */
const described = ({ type, task, target }: Signal): string => {
  const message = type === 'STEER' || type === 'INFO';
  return safe([type, task ?? (message && target !== 'ALL' ? target : '')].join(' ').trim());
};
