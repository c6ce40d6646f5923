import { claude } from './claude.ts';
import { codex } from './codex.ts';
import type { OutputProfile } from './output-profile.ts';

/** The known forms of output, by their name in `agents.<name>.output`. */
export const outputProfiles = { claude, codex } as const satisfies Readonly<Record<string, OutputProfile>>;
