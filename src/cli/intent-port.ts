import { dirname, join } from 'node:path';
import { formatFault } from '../base/fault.ts';
import { readText } from '../base/replace-file.ts';
import { safe, safeBlock } from '../base/safe.ts';
import type { SessionState } from '../pipeline/state.ts';
import type { SessionPaths } from '../session/paths.ts';
import type { Signal } from '../signals/signal.ts';
import { createSessionMailbox, sender, signed } from './publish.ts';
import type { ScreenOptions } from './screen.tsx';
import type { World } from './world.ts';

/** Keys reach the world as files and in no other way: the mailbox, and the staged files for reading. */
export const createIntentPort = (
  world: World,
  paths: SessionPaths,
  state: () => SessionState | null,
  wake: () => void,
): ScreenOptions['port'] => ({
  perform: async (intent) => {
    const mailbox = createSessionMailbox(world, paths);
    if ('code' in mailbox) return formatFault(mailbox);
    if (intent.type === 'withdraw') {
      const result = mailbox.withdraw(intent.id, sender());
      if (result.kind === 'withdrawn') return `withdrawn: ${result.file}`;
      return result.kind === 'too-late'
        ? `too late: already ${result.stage} by ${result.by}`
        : 'nothing to withdraw';
    }
    const published = mailbox.publish(signed(world, state()?.iteration ?? 1, intent.signal));
    wake();
    return 'code' in published ? formatFault(published) : `sent: ${described(intent.signal)}`;
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
      return text === null ? null : safeBlock(text);
    } catch {
      return null;
    }
  },
});

/** `RETRY schema`: enough to see that the right key was pressed; the Inbox has the rest. */
const described = (signal: Signal): string =>
  safe(
    [signal.type, signal.task ?? (signal.target === 'ALL' ? null : signal.target)].filter(Boolean).join(' '),
  );
