import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { example } from './example.ts';
import { gemini } from './gemini.ts';
import { goose } from './goose.ts';
import { opencode } from './opencode.ts';
import type { AgentProfile } from './profile.ts';
import { qwen } from './qwen.ts';

/** Every agent known by name, in the order users see them: tried ones, then those known from their documentation. */
export const profiles: readonly AgentProfile[] = [
  gemini,
  codex,
  claude,
  opencode,
  qwen,
  goose,
  copilot,
  example,
];
