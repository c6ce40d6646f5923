import { commandText } from '../agents/command-text.ts';
import type { SessionEnd } from '../engine/engine.ts';
import type { SessionState } from '../pipeline/state.ts';
import type { SessionPaths } from '../session/paths.ts';
import { selectRequests } from '../store/select-request.ts';
import { selectSummary } from '../store/select-summary.ts';
import { exitCodes } from './cli.ts';
import { flagWords } from './options.ts';
import { statusText } from './plain-log.ts';
import type { EngineWish } from './wire.ts';

/** What stays on the normal screen: how it ended, what failed, where it lies, and how to go on. */
export const summary = (wish: EngineWish, end: SessionEnd, state: SessionState | null): string => {
  const { session, directory, workspace } = wish.paths;
  const [done, ...bad] = selectSummary({ session: state });
  const how = [statusText(end.status, end.reason), ...(done === undefined ? [] : [done])].join('; ');
  const lines = [`Session ${session}: ${how}`, ...bad.map((line) => `  ${line}`), `  files    ${directory}`];
  if (end.unverified.length > 0)
    lines.push(`  could not verify that these processes are gone: pids ${end.unverified.join(', ')}`);
  const decision = end.exitCode === exitCodes.waits && state !== null ? decisionWords(state) : null;
  if (decision !== null) lines.push(`  decide   ${goTo(workspace)} && ${decision}`);
  if (end.exitCode === exitCodes.paused || end.exitCode === exitCodes.waits)
    lines.push(
      `  go on    ${goTo(workspace)} && ${state?.hold ? 'ralph-tui signal RESUME && ' : ''}${resumeWords(wish)}`,
    );
  const failed = [...(state?.tasks.values() ?? [])].find((task) => task.status === 'failed');
  if (end.exitCode === exitCodes.failed && failed)
    lines.push(
      `  again    ${goTo(workspace)} && ralph-tui retry ${failed.definition.id} && ${resumeWords(wish)}`,
    );
  return lines.join('\n');
};

/** What a person types for what the session waits for: without it a resume only waits again. */
const decisionWords = (state: SessionState): string | null => {
  if (state.gate?.gate === 'knowledge') return 'ralph-tui approve';
  const [request] = selectRequests(state);
  if (request === undefined) return null;
  const [option] = request.options;
  return `ralph-tui answer ${request.request} ${option === undefined ? '…' : commandText({ cmd: [option] })}`;
};

/** What a person types to go on as it was begun. */
export const resumeWords = ({ paths, flags }: Pick<EngineWish, 'paths' | 'flags'>): string =>
  ['ralph-tui resume', paths.session, ...flagWords(flags)].join(' ');

/** What a person types to be there, whatever the directory is called. */
export const goTo = (workspace: string): string => commandText({ cmd: ['cd', workspace] });

/** What is said of a session that a background host runs. */
export const inBackground = ({ session, workspace }: SessionPaths, pid: number): string =>
  [
    `Session ${session} goes on in the background (pid ${pid})`,
    `  watch    ${goTo(workspace)} && ralph-tui attach ${session}`,
  ].join('\n');
