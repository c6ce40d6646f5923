import type { ForeignWork } from '../../agents/backends/foreign/foreign-worker.ts';
import type { Patience } from '../patience.ts';
import type { ToolAnswer } from '../tool.ts';
import { refused, settledClaim, unsettledClaim } from './claim-answers.ts';
import { untilChanged } from './until-changed.ts';
import { doorOf, type LineState } from './worker-line.ts';

/** Claims a task, waits until its place is prepared, and gives the work. `wanted` of `null`: the next task of its role. */
export const claimTask = async (
  line: LineState,
  name: string,
  wanted: string | null,
  patience: Patience,
): Promise<ToolAnswer> => {
  const { ports } = line;
  const claim = () => (isEnding(line, name) ? null : settledClaim(doorOf(line), name, wanted));
  const settled = await untilChanged(ports, claim, patience);
  if (settled === null) return unsettledClaim(doorOf(line), name, wanted);
  if ('answer' in settled) return settled.answer;
  const { task } = settled;
  const work = await untilChanged(ports, () => workOn(line, name, task), patience);
  if (work === null)
    return { body: { claimed: task, next: 'Its directory is being prepared. Call task_claim again.' } };
  if (work === 'lost') return refused(`${task} is no longer yours`);
  const directory = work.brief.workspace;
  return { body: { claimed: task, worker: name, directory, work: work.prompt, next: workNext } };
};

/** Its result is being checked: what it may claim next shows only then. */
const isEnding = (line: LineState, name: string): boolean => {
  if (line.handed === null) return false;
  const now = doorOf(line).standing(name);
  if (now.kind === 'member' && now.task === line.handed && line.ports.works.workOf(name) === null)
    return true;
  line.handed = null;
  return false;
};

/** The work on this task; `null`: its place is still being prepared. */
const workOn = (line: LineState, name: string, task: string): ForeignWork | 'lost' | null => {
  const now = doorOf(line).standing(name);
  if (now.kind !== 'member' || now.task !== task) return 'lost';
  const work = line.ports.works.workOf(name);
  return work?.brief.task?.id === task ? work : null;
};

const workNext =
  'Do the work in `directory` and nowhere else. Call check_signals after each step. At the end call task_update with the outcome that the section "Answer" asks for: it counts once the program has checked it. Then call task_claim for the next task.';
