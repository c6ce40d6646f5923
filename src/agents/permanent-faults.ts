import type { Fault } from '../base/fault.ts';

/** Codes of what stays wrong until a person does something: an agent that is missing, not logged in, or of another protocol; no worktree. */
const permanentCodes: readonly string[] = ['agent-not-found', 'agent-login', 'agent-protocol', 'worktree'];

/** Whether the same call would fail again however often it is tried. */
export const isPermanent = ({ code }: Pick<Fault, 'code'>): boolean => permanentCodes.includes(code);
