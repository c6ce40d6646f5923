import { changedWords, unmergedWords } from '../../../components/changes/changed-files-words.ts';
import { selectSummary } from '../../../components/end/select-summary.ts';
import { selectAgain } from '../../../components/frame/select-again.ts';
import { formatSpent } from '../../../components/frame/select-header.ts';
import type { Changes } from '../../../components/ports/viewer-port.ts';
import { printedCommand } from '../../base/process/printed-command.ts';
import type { SessionEnd } from '../../engine/engine.ts';
import { isHeldOnResume } from '../../pipeline/evolve/session.ts';
import { openQuestions } from '../../pipeline/questions/open-questions.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { selectKeptWorktrees, selectTakenChanges } from '../../words/changes-words.ts';
import { formatStatus } from '../../words/format-status.ts';
import {
  againCommand,
  answerCommand,
  commandInWorkspace,
  resumeCommand,
} from '../../words/session-command.ts';
import { streamWords } from '../../words/stream-words.ts';
import { confirmCommand, selectUnproven, unprovenQuestion } from '../../words/unproven.ts';
import { usageWords } from '../../words/usage-words.ts';
import { exitCodes } from '../cli.ts';
import type { EngineRequest } from '../host/wire.ts';
import { flagWords } from '../options.ts';

/** The summary on the normal screen: how the session ended, what failed, what it changed, where its files are, and how to continue. */
export const summary = (
  request: Pick<EngineRequest, 'paths' | 'flags'>,
  end: SessionEnd,
  state: SessionState | null,
  changes: Changes | null,
): string => {
  const { session, directory, workspace } = request.paths;
  const [done, ...bad] = selectSummary({ session: state });
  const status = formatStatus(end.status, end.reason);
  // The reason of a gate is its question, which ends in a full stop.
  const how = done === undefined ? status : `${status.replace(/\.$/, '')}; ${done}`;
  const spent = state === null ? '' : formatSpent(state);
  const used = state === null ? '' : usageWords(state.spending.values());
  const lines = [
    `Session ${session}: ${how}`,
    ...bad.map((line) => `  ${line}`),
    ...(spent === '' ? [] : [`  time     ${spent}`]),
    ...(used === '' ? [] : [`  used     ${used}`]),
    ...changedLines(changes, commandInWorkspace(request.paths)),
    `  files    ${directory}`,
    ...(state === null ? [] : changesLines(state, workspace)),
    ...(state === null ? [] : selectKeptWorktrees(state).map((sentence) => `  kept     ${sentence}`)),
  ];
  if (end.unverified.length > 0)
    lines.push(
      `  could not verify that ${end.unverified.length === 1 ? 'this process is gone: pid' : 'these processes are gone: pids'} ${end.unverified.join(', ')}`,
    );
  const decision = end.exitCode === exitCodes.waits && state !== null ? decisionWords(state, session) : null;
  if (decision !== null) lines.push(`  decide   ${goTo(workspace)} && ${decision}`);
  for (const { id, signal } of state === null ? [] : selectUnproven(state))
    lines.push(`  confirm  ${unprovenQuestion(signal)} ${goTo(workspace)} && ${confirmCommand(session, id)}`);
  if (end.exitCode === exitCodes.paused || end.exitCode === exitCodes.waits)
    lines.push(continueLine(request, state));
  const again = state === null ? null : selectAgain(state);
  if (end.exitCode === exitCodes.failed && again !== null)
    lines.push(
      `  again    ${goTo(workspace)} && ${againCommand(session, again, resumeWords(request, state))}`,
    );
  return lines.join('\n');
};

const changedLines = (changes: Changes | null, commandOf: (words: string) => string): readonly string[] => {
  if (changes === null) return [];
  const { files, unmerged = [] } = changes;
  return [
    ...(files.length === 0 ? [] : [`  changed  ${changedWords(files)}`]),
    ...(unmerged.length === 0 ? [] : [`  unmerged ${unmergedWords(unmerged, commandOf)}`]),
  ];
};

/** Where the work of worktrees is now. */
const changesLines = (state: SessionState, workspace: string): readonly string[] => {
  // In a flow each stream has a branch of its own.
  if (state.mode === 'flow')
    return streamWords(state, `${goTo(workspace)} && `).map((words) => `  changes  ${words}`);
  const changes = selectTakenChanges(state);
  if (changes === null) return [];
  const { branch, taken, commands, take, first } = changes;
  if (commands.length > 0)
    return [
      `  changes  on ${branch}; for a pull request: ${goTo(workspace)}${first === '' ? '' : `, ${first}`}, then`,
      ...commands.map((command) => `           ${command}`),
    ];
  return taken !== null
    ? [`  changes  ${branch}, ${taken}`]
    : [
        `  changes  on ${branch}; ${first === '' ? '' : `${first}; `}to take the changes: ${goTo(workspace)} && ${take}`,
      ];
};

/** The command for the decision a session waits for. A resume without it would only wait again. */
const decisionWords = (state: SessionState, session: string): string | null => {
  if (state.gate?.gate === 'knowledge') return `ralph-tui approve --session ${session}`;
  const [request] = openQuestions(state);
  if (request === undefined) return null;
  return answerCommand(session, request);
};

/** The command that resumes the session with its flags. */
const resumeWords = (
  { paths, flags }: Pick<EngineRequest, 'paths' | 'flags'>,
  state: SessionState | null,
): string => resumeCommand(paths.session, state !== null && isHeldOnResume(state), flagWords(flags));

/** The line of a summary that says how the session continues. */
export const continueLine = (
  request: Pick<EngineRequest, 'paths' | 'flags'>,
  state: SessionState | null,
): string => `  continue ${goTo(request.paths.workspace)} && ${resumeWords(request, state)}`;

/** The command that enters the workspace, quoted for a shell. */
export const goTo = (workspace: string): string => printedCommand('cd', workspace);

/** The message about a session that a background host runs. */
export const inBackground = ({ session, workspace }: SessionPaths, pid: number): string =>
  [
    `Session ${session} continues in the background (pid ${pid})`,
    `  watch    ${goTo(workspace)} && ralph-tui attach ${session}`,
  ].join('\n');
