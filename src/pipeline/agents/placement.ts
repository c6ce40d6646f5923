import { placesOfAgent } from '../../agents/placement.ts';
import type { Mode } from '../../agents/port.ts';
import type { Settings } from '../../session/settings.ts';
import { here, type Places, placeNames } from '../../tasks/task.ts';
import { isIsolated } from '../isolated.ts';
import type { SessionState, TaskState } from '../state.ts';
import { narrowest, sameFences } from './fenced-places.ts';

/** Modes that work on, or look at, the files of a task. All others need the files of the session, which stay on the host. */
const placedModes: ReadonlySet<Mode> = new Set<Mode>(['IMPLEMENT', 'TASK_REVIEW']);

type Placing = Pick<Settings, 'on' | 'agents' | 'runners'>;

/** What decides where an invocation may run. */
interface Placed {
  readonly mode: Mode;
  readonly task: { readonly on?: Places | undefined } | undefined;
  /** The backend that does it. */
  readonly backend: string;
  /** The runners where this task was worked on. */
  readonly workedOn: readonly string[];
  /** The runners whose work is in the files that it meets: those of this task, and of all that is merged. */
  readonly wrote: readonly string[];
}

/** Where the configuration places it: the task's own `on:`, else the role's, else the agent's, else `all`. */
export const configuredPlaces = (
  { on, agents }: Pick<Settings, 'on' | 'agents'>,
  { mode, task, backend }: Pick<Placed, 'mode' | 'task' | 'backend'>,
): readonly string[] => {
  if (!placedModes.has(mode)) return [here];
  const role = mode === 'IMPLEMENT' ? on.executor : on.reviewer;
  return placeNames(task?.on ?? role ?? placesOfAgent(agents, backend) ?? on.all ?? here);
};

/**
 * Where an invocation may run, first choice first. What an agent wrote in a fence runs in that fence or one like it, unless the configuration says
 * otherwise about exactly this. Commands that prove an attempt do not run on the machine that worked on it, because another machine's word is no proof:
 * only `on.verify` trusts it with that.
 */
export const placesOf = (settings: Placing, placed: Placed): readonly string[] => {
  const { mode, backend, workedOn } = placed;
  const proves = mode === 'TASK_REVIEW' && backend === 'script';
  if (proves && settings.on.verify !== undefined) return placeNames(settings.on.verify);
  const places = withinFence(settings, placed);
  if (!proves) return places;
  const others = places.filter((name) => !isOneMachine(settings, name, workedOn));
  return others.length === 0 ? [here] : others;
};

const withinFence = (settings: Placing, placed: Placed): readonly string[] => {
  const places = configuredPlaces(settings, placed);
  if (!placedModes.has(placed.mode)) return places;
  const fence = narrowest(settings, placed.wrote);
  if (fence === null) return places;
  const fences = sameFences(settings, places, fence);
  if (fences.length > 0) return fences;
  return isSaid(settings, placed) ? places : [fence];
};

/** Whether the configuration speaks of this work itself. `on.all` does so of the work, not of what runs afterwards. */
const isSaid = (
  { on, agents }: Placing,
  { mode, task, backend }: Pick<Placed, 'mode' | 'task' | 'backend'>,
): boolean =>
  task?.on !== undefined ||
  placesOfAgent(agents, backend) !== undefined ||
  (mode === 'IMPLEMENT' ? (on.executor ?? on.all) : on.reviewer) !== undefined;

/** Whether a place is a machine that worked on the task, also under another name. */
const isOneMachine = ({ runners }: Placing, place: string, workedOn: readonly string[]): boolean => {
  const alias = aliasOf(runners, place);
  return alias !== null && workedOn.some((name) => aliasOf(runners, name) === alias);
};

const aliasOf = (runners: Settings['runners'], name: string): string | null => {
  const entry = Object.hasOwn(runners, name) ? runners[name] : undefined;
  if (entry === undefined) return null;
  return 'ssh' in entry ? entry.ssh : 'pool' in entry ? `${entry.pool} ${entry.queue}` : null;
};

/** Where an invocation of a running session may run, first choice first. */
export const placesFor = (
  { changes, settings }: SessionState,
  mode: Mode,
  task: TaskState | undefined,
  backend: string,
): readonly string[] => {
  const workedOn = (task && changes.workedOn.get(task.definition.id)) ?? [];
  const wrote = [...new Set([...workedOn, ...changes.mergedFrom])];
  return placesOf(settings, { mode, task: task?.definition, backend, workedOn, wrote });
};

/** The runner for an invocation, `null` for this machine. `wait`: every place that may do it is full, or it may not work here and the workspace is shared. */
export const runnerFor = (
  state: SessionState,
  mode: Mode,
  task: TaskState | undefined,
  backend: string,
): string | null | 'wait' => {
  const places = placesFor(state, mode, task, backend);
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
