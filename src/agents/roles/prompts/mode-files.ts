import type { Mode } from '../../port.ts';
import { contractOfMode } from '../../replies/contracts.ts';

/** The file name of a mode's prompt, here and in `.ralph/prompts/`: `TASK_REVIEW` → `task-review.md`. `null` if code does the work. */
export const promptFile = (mode: Mode): string | null =>
  contractOfMode(mode) === null ? null : `${mode.toLowerCase().replaceAll('_', '-')}.md`;
