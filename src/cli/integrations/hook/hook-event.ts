import { z } from 'zod';
import { fromJson } from '../../../base/json.ts';

/** The events of Claude Code that are answered. */
export const hookEvents = [
  'PreToolUse',
  'PostToolUse',
  'Stop',
  'TaskCompleted',
  'TeammateIdle',
  'SessionStart',
] as const;
export type HookEventName = (typeof hookEvents)[number];

const schema = z.object({
  /** Claude Code's own session. */
  session_id: z.string().min(1),
  cwd: z.string().startsWith('/'),
  tool_name: z.string().optional(),
  tool_input: z.record(z.string(), z.unknown()).optional(),
  stop_hook_active: z.boolean().optional(),
  /** TaskCompleted and TeammateIdle, in a team of Claude Code's own. */
  teammate_name: z.string().optional(),
  task_subject: z.string().optional(),
});

/** The part of an event that is read (code.claude.com, Hooks reference). Further fields are ignored. */
export type HookEvent = z.infer<typeof schema>;

/** Reads an event; `null` when the text is none. */
export const readEvent = (text: string): HookEvent | null => schema.safeParse(fromJson(text)).data ?? null;

/** What the tool is about to do, as far as guidance speaks of it. */
export const intentOf = ({
  tool_name: tool = '',
  tool_input: input = {},
}: HookEvent): { readonly path?: string; readonly command?: string } => {
  if (tool === 'Bash') return typeof input['command'] === 'string' ? { command: input['command'] } : {};
  const path = editTools.has(tool) ? (input['file_path'] ?? input['notebook_path']) : undefined;
  return typeof path === 'string' ? { path } : {};
};

const editTools: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
