import type { Mode } from '../../port.ts';
import { contractOfMode } from '../../replies/contracts.ts';

/** A prompt: one for each mode with an agent, and `TURN` in place of IMPLEMENT in a loop. */
export type PromptName = Mode | 'TURN';

/** The mode in which a prompt is used, and whose contract its answer has. */
export const modeOfPrompt = (name: PromptName): Mode => (name === 'TURN' ? 'IMPLEMENT' : name);

/** The file name of a prompt, here and in `.ralph/prompts/`: `TASK_REVIEW` → `task-review.md`. `null` if code does the work. */
export const promptFile = (name: PromptName): string | null =>
  contractOfMode(modeOfPrompt(name)) === null ? null : `${name.toLowerCase().replaceAll('_', '-')}.md`;
