import type { ModelBrief } from '../../agents/model-brief.ts';
import type { Backend, Brief } from '../../agents/port.ts';
import type { Fault } from '../../base/fault.ts';
import { readText } from '../../base/replace-file.ts';
import { type TaskPhase, taskPhases } from '../../issues/task-list/task-phase.ts';
import { sessionPaths } from '../../session/paths.ts';
import type { Core } from '../core.ts';
import type { FlowPort } from '../flow/flow-port.ts';
import { materialOf } from '../flow/material.ts';

/** Limits in characters, for one report and for all reports in a prompt. A long report keeps its end. */
const longestReport = 12_000;
const longestReports = 60_000;

/** The brief for a backend with a model: adds instructions, a fresh fence and the reports of earlier work (src/engine/README.md, Roles). */
export const modelBrief = async (core: Core, brief: Brief, backend: Backend): Promise<Brief> => {
  const isTurn = brief.mode === 'IMPLEMENT' && core.loop.state().mode === 'loop';
  const instructions = backend.model ? instructionsFor(core, brief, isTurn) : undefined;
  if (!backend.model || instructions === undefined || instructions === null) return brief;
  const model: ModelBrief = {
    instructions,
    fence: core.options.random.hex(16),
    reports: [...(await materialFor(core, brief)), ...(isTurn ? turnBefore(brief) : reportsFor(core, brief))],
    tools: backend.model.tools,
    ...(backend.model.hears ? { hears: true } : {}),
    ...(backend.model.updates ? { updates: true } : {}),
    ...(isTurn ? { isTurn } : {}),
  };
  return isTurn && brief.task ? { ...brief, task: { ...brief.task, notes: '' }, model } : { ...brief, model };
};

/** A phase of a flow is worked by its skill; a worker of a team has its definition before it. */
const instructionsFor = (
  core: Core,
  { phase, worker, mode }: Brief,
  isTurn: boolean,
): string | null | undefined =>
  phase !== undefined && core.options.flow && mode === 'IMPLEMENT'
    ? phaseInstructions(core, core.options.flow, phase, worker)
    : core.options.instructions?.(isTurn ? 'TURN' : mode);

const phaseInstructions = (
  core: Core,
  flow: FlowPort,
  phase: TaskPhase,
  worker: string | undefined,
): string | null => {
  const report = (refused: Fault | null): void => {
    if (refused !== null) core.loop.run(() => core.problem(refused));
  };
  const { text: skill, refused } = flow.instructions(phase);
  report(refused);
  if (skill === null || worker === undefined) return skill;
  const own = flow.worker(taskPhases[phase].role);
  report(own.refused);
  return `${own.definition.body}\n\n${skill}`;
};

const materialFor = async (core: Core, brief: Brief): Promise<ModelBrief['reports']> =>
  brief.phase !== undefined && core.options.flow ? materialOf(core, core.options.flow, brief) : [];

/** What the last turn of a loop said, which its agent wrote: material, so it is in a fence. */
const turnBefore = ({ task }: Brief): ModelBrief['reports'] =>
  task === undefined || task.notes === '' ? [] : [{ source: 'the previous turn', text: task.notes }];

const reportsFor = (core: Core, { task, attempt, mode }: Brief): ModelBrief['reports'] => {
  const before = (task?.blockedBy ?? []).map((id) => lastReport(core, id));
  const own = task && mode === 'TASK_REVIEW' ? [reportOf(core, task.id, attempt ?? 1)] : [];
  let room = longestReports;
  return [...own, ...before].flatMap((found) => {
    if (found === null || room <= 0) return [];
    room -= found.text.length;
    return [found];
  });
};

/** The report of a task's last attempt, or `null`. The tool `task_get` returns it too. */
export const lastReport = (core: Core, id: string): ModelBrief['reports'][number] | null => {
  const attempts = core.loop.state().tasks.get(id)?.attempt ?? 0;
  return attempts === 0 ? null : reportOf(core, id, attempts);
};

const reportOf = (
  { options, loop }: Core,
  id: string,
  attempt: number,
): ModelBrief['reports'][number] | null => {
  const { paths, disk } = options;
  const iteration = loop.state().tasks.get(id)?.iteration ?? loop.state().iteration;
  const file = sessionPaths(paths.workspace, paths.session).iteration(iteration).report(id, attempt);
  const text = readText(disk, file);
  return text === null
    ? null
    : { source: `the report of ${id}, attempt ${attempt}`, text: text.slice(-longestReport) };
};
