import type { Fault } from '../../base/fault.ts';
import { formatOrigin, type Layer, resolveSettings } from '../../session/config.ts';
import { agentProblem, fallbackProblem } from './known-agents.ts';

/** The faults of the agents in the layers: an entry of a wrong form, or a fallback that is no agent. */
export const agentFaults = (layers: readonly Layer[]): readonly Fault[] => {
  const { settings, origins } = resolveSettings(layers);
  const origin = origins.get('agents');
  return Object.entries(settings.agents).flatMap(([name, entry]) => {
    const problem = agentProblem(name, entry) ?? fallbackProblem(name, settings);
    if (problem === null) return [];
    return [origin === undefined ? problem : { ...problem, where: formatOrigin(origin) }];
  });
};
