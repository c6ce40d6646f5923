import { placesOfAgent } from '../../agents/placement.ts';
import type { Mode } from '../../agents/port.ts';
import type { Settings } from '../../session/settings.ts';
import { here, type Places, placeNames } from '../../tasks/task.ts';
import { isIsolated } from '../isolated.ts';
import type { SessionState, TaskState } from '../state.ts';

/** Modes that work on, or look at, the files of a task. All others need the files of the session, which stay on the host. */
const placedModes: ReadonlySet<Mode> = new Set<Mode>(['IMPLEMENT', 'TASK_REVIEW']);

/** Where an invocation may run, first choice first: the task's own `on:`, else the role's, else the agent's, else `all`. */
export const placesOf = (
  { on, agents }: Pick<Settings, 'on' | 'agents'>,
  mode: Mode,
  task: { readonly on?: Places | undefined } | undefined,
  backend: string,
): readonly string[] => {
  if (!placedModes.has(mode)) return [here];
  const role = mode === 'IMPLEMENT' ? on.executor : on.reviewer;
  return placeNames(task?.on ?? role ?? placesOfAgent(agents, backend) ?? on.all ?? here);
};

/** The runner for an invocation, `null` for this machine. `wait`: every place that may do it is full, or it may not work here and the workspace is shared. */
export const runnerFor = (
  state: SessionState,
  mode: Mode,
  task: TaskState | undefined,
  backend: string,
): string | null | 'wait' => {
  const places = placesOf(state.settings, mode, task?.definition, backend);
  // The start refuses this. Work that is placed never runs outside its fence instead.
  if (!isIsolated(state)) return places.includes(here) ? null : 'wait';
  const free = places.find((name) => name === here || usedSlots(state, name) < slotsOf(state, name));
  if (free === undefined) return 'wait';
  return free === here ? null : free;
};

const usedSlots = (state: SessionState, runner: string): number =>
  [...state.invocations.values()].filter((each) => each.runner === runner && each.stage === 'running').length;

/** A runner that was taken out of the configuration has no slot. */
const slotsOf = ({ settings }: SessionState, runner: string): number => settings.runners[runner]?.slots ?? 0;
