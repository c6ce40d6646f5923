import type { FlowPhases } from '../position/flow-phases.ts';
import type { FlowTask } from './flow-task.ts';
import { taskPhases } from './task-phase.ts';

/** What decides which tasks are calls of a model. */
export interface CallOptions {
  /** Left out: all. */
  readonly phases?: FlowPhases | undefined;
  /** The setting `flow.agents`. */
  readonly agents: Readonly<Record<string, string>>;
}

/**
 * Whether a task is a call of a model. The program merges. With few phases it also writes pull requests, and hands a plan to a person without a critique,
 * unless the settings name an agent for that.
 */
export const isCall = (
  { phase, gate }: Pick<FlowTask, 'phase' | 'gate'>,
  { phases, agents }: CallOptions,
): boolean => {
  if (phase === 'merge') return false;
  const isSpared = phase === 'pr' || (phase === 'review' && gate === 'human');
  const isNamed = agents[phase] !== undefined || agents[taskPhases[phase].role] !== undefined;
  return !isSpared || phases !== 'few' || isNamed;
};
