import type { SessionEnd } from '../engine/engine.ts';
import { exitCodes } from './cli.ts';
import { statusText } from './plain-log.ts';
import type { EngineWish } from './wire.ts';

/** What stays on the normal screen: how it ended, where it lies, and how to go on. */
export const summary = (wish: EngineWish, end: SessionEnd): string => {
  const { session, directory, workspace } = wish.paths;
  const lines = [`Session ${session}: ${statusText(end.status, end.reason)}`, `  files    ${directory}`];
  if (end.unverified.length > 0)
    lines.push(`  could not verify that these processes are gone: pids ${end.unverified.join(', ')}`);
  if (end.exitCode === exitCodes.paused || end.exitCode === exitCodes.waits)
    lines.push(`  go on    cd ${workspace} && ralph-tui resume ${session}`);
  return lines.join('\n');
};
