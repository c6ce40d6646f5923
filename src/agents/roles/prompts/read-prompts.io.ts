import { readFileSync } from 'node:fs';
import { type PromptName, promptFile } from './mode-files.ts';

/**
 * Reads a prompt shipped with this program: Markdown files beside this module in a checkout, in `prompts/` beside the built program. `null` for a
 * mode without an agent.
 */
export const shippedPrompt = (name: PromptName): string | null => {
  const file = promptFile(name);
  if (file === null) return null;
  const place = import.meta.url.includes('/roles/prompts/') ? './' : './prompts/';
  return readFileSync(new URL(`${place}${file}`, import.meta.url), 'utf8');
};
