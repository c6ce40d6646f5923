import { join } from 'node:path';
import { type PromptName, promptFile } from '../../agents/roles/prompts/mode-files.ts';
import { shippedPrompt } from '../../agents/roles/prompts/read-prompts.io.ts';
import { sha256 } from '../../base/hash.io.ts';
import { readText } from '../../base/replace-file.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import { recallTrust } from './trust-memory.ts';

/** The directory of a workspace's own prompts. */
export const promptDirectory = '.ralph/prompts';

/** The prompt of a mode, with its source. */
interface Prompt {
  readonly text: string;
  /** Path relative to the workspace; `null` for our own prompt. */
  readonly file: string | null;
  /** Path of a workspace prompt that nobody has accepted, so ours is used; else `null`. */
  readonly untrusted: string | null;
}

/**
 * The workspace's own prompt when its bytes are trusted, else ours. `null` for a mode without an
 * agent. A repository's prompt directs an agent, so it needs trust like a plan.
 */
export const promptOf = (
  env: Cli['env'],
  world: World,
  workspace: string,
  prompt: PromptName,
): Prompt | null => {
  const name = promptFile(prompt);
  const shipped = shippedPrompt(prompt);
  if (name === null || shipped === null) return null;
  const file = `${promptDirectory}/${name}`;
  const own = readText(world.disk, join(workspace, file), largestPrompt);
  if (own === null) return { text: shipped, file: null, untrusted: null };
  const isTrusted = recallTrust(env, world, workspace, file)?.sha256 === sha256(own);
  return isTrusted ? { text: own, file, untrusted: null } : { text: shipped, file: null, untrusted: file };
};

/** Bytes. */
const largestPrompt = 256 * 1024;
