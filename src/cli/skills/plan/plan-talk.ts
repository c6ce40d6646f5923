import type { AgentProfile } from '../../../agents/profiles/profile.ts';
import type { firstPrompt } from '../../../skills/agent/prompts.ts';
import type { Skill } from '../../../skills/skill.ts';
import type { Material, SkillMaterial } from '../skill-material.ts';

/** What the phases of a plan have in common. */
export interface PlanTalk {
  readonly skill: Skill;
  readonly profile: AgentProfile;
  readonly material: SkillMaterial;
  readonly nonce: string;
  readonly prompt: PromptOf;
}

/** Makes the first prompt of an agent from what differs between the phases of a plan. */
export type PromptOf = (
  of: Pick<Parameters<typeof firstPrompt>[0], 'argument' | 'document'> & {
    readonly material: readonly Material[];
  },
) => string;
