import { join } from 'node:path';
import { safeBlock } from '../../src/base/safe.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { type Copyable, nothingToCopy } from '../pane/copyable.ts';
import type { ViewState } from '../view.ts';
import { isFinal } from './select-signals.ts';

/** The message of a signal, and its current file. */
export const copySignal = ({ session }: ViewState, id: string | null): Copyable => {
  const life = id === null ? undefined : session?.signals.get(id);
  if (life === undefined || !session) return nothingToCopy;
  const { signals } = sessionPaths(session.workspace, session.session);
  const folder = life.stage === 'rejected' ? 'rejected' : isFinal(life.stage) ? 'processed' : 'inputs';
  return {
    text: safeBlock(life.signal.message ?? life.signal.type),
    path: join(signals, folder, life.file),
  };
};
