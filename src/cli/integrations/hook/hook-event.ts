import { isRecord, objectFromJson } from '../../../base/json.ts';

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

/** The part of an event that is read (code.claude.com, Hooks reference). Further fields are ignored. */
export interface HookEvent {
  /** Claude Code's own session. */
  readonly session_id: string;
  readonly cwd: string;
  readonly tool_name?: string | undefined;
  readonly tool_input?: Readonly<Record<string, unknown>> | undefined;
  readonly stop_hook_active?: boolean | undefined;
  /** TaskCompleted and TeammateIdle, in a team of Claude Code's own. */
  readonly teammate_name?: string | undefined;
  readonly task_subject?: string | undefined;
}

/**
 * Reads an event; `null` when the text is none. Read by hand: a hook runs at each tool call of an agent, and a schema would load more than the rest of
 * what most of these runs need.
 */
export const readEvent = (text: string): HookEvent | null => {
  const { session_id, cwd, tool_name, tool_input, stop_hook_active, teammate_name, task_subject } =
    objectFromJson(text);
  const isEvent =
    typeof session_id === 'string' &&
    session_id !== '' &&
    typeof cwd === 'string' &&
    cwd.startsWith('/') &&
    isTextOrNone(tool_name) &&
    isTextOrNone(teammate_name) &&
    isTextOrNone(task_subject) &&
    (tool_input === undefined || isRecord(tool_input)) &&
    (stop_hook_active === undefined || typeof stop_hook_active === 'boolean');
  return isEvent
    ? { session_id, cwd, tool_name, tool_input, stop_hook_active, teammate_name, task_subject }
    : null;
};

const isTextOrNone = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

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
