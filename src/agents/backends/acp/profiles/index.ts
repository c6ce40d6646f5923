import type { AgentProfile } from '../profile.ts';
import { codex } from './codex.ts';
import { example } from './example.ts';
import { gemini } from './gemini.ts';

/** Every agent known by name, in the order users see them. */
export const profiles: readonly AgentProfile[] = [gemini, codex, example];
