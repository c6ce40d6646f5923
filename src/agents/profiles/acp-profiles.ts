import { profiles } from './index.ts';
import { type AgentProfile, acpAgentSchema, profileOf } from './profile.ts';

/** Profiles of all ACP agents: built-in ones unless the configuration has an entry of the same name, then those of the configuration. */
export const acpProfiles = (agents: Readonly<Record<string, unknown>>): readonly AgentProfile[] => [
  ...profiles.filter(({ name }) => !Object.hasOwn(agents, name)),
  ...Object.entries(agents).flatMap(([name, entry]) => {
    const agent = acpAgentSchema.safeParse(entry);
    const profile = agent.success && name !== 'script' ? profileOf(name, agent.data, profiles) : null;
    return profile === null ? [] : [profile];
  }),
];
