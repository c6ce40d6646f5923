import { z } from 'zod';
import type { ToolKind } from '../../../agent-facts.ts';
import type { ToolPatch } from '../../acp/updates.ts';
import { fileIn } from './file-in.ts';

/** Kinds of Claude Code's own tools. Those of MCP servers, and unknown ones, are `other`. */
const kinds: Readonly<Record<string, ToolKind>> = {
  Read: 'read',
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Bash: 'execute',
  Grep: 'search',
  Glob: 'search',
  WebFetch: 'fetch',
  WebSearch: 'fetch',
  Task: 'think',
  Agent: 'think',
  EnterPlanMode: 'switch_mode',
  ExitPlanMode: 'switch_mode',
};

const word = z.string().min(1).optional().catch(undefined);
const inputSchema = z
  .object({
    file_path: word,
    notebook_path: word,
    path: word,
    command: word,
    pattern: word,
    url: word,
    query: word,
    description: word,
  })
  .catch({
    file_path: undefined,
    notebook_path: undefined,
    path: undefined,
    command: undefined,
    pattern: undefined,
    url: undefined,
    query: undefined,
    description: undefined,
  });

/** A call of a tool at its start. Its title leaves out what its kind says: the title of a command is the command, that of a read the file. */
export const claudeTool = (
  { id, name, input: given }: { readonly id: string; readonly name: string; readonly input?: unknown },
  workspace: string,
  parent: string | null,
): ToolPatch => {
  const input = inputSchema.parse(given);
  const path = input.file_path ?? input.notebook_path ?? input.path;
  const about =
    input.command ??
    (path && fileIn(workspace, path)) ??
    input.pattern ??
    input.url ??
    input.query ??
    input.description;
  const kind = Object.hasOwn(kinds, name) ? (kinds[name] ?? 'other') : 'other';
  return {
    toolCallId: id,
    name,
    kind,
    title: kind === 'other' ? [name, about].filter(Boolean).join(' ') : (about ?? name),
    status: 'in_progress',
    locations: path === undefined ? [] : [{ path }],
    // ACP's own place for it: the tool book reads the parent there.
    _meta: parent === null ? undefined : { claudeCode: { parentToolUseId: parent } },
  };
};

const hunkSchema = z.object({ lines: z.array(z.string()) });
const patchSchema = z.object({
  filePath: z.string(),
  structuredPatch: z.array(hunkSchema),
  type: word,
  content: z.string().optional().catch(undefined),
});

/** The diffs of an edit, one for each hunk, from the result that Claude Code gives beside the model's. A new file has no hunk, but its content. */
export const patchContent = (result: unknown): NonNullable<ToolPatch['content']> => {
  const { data } = patchSchema.safeParse(result);
  if (data === undefined) return [];
  const { filePath: path, structuredPatch: hunks, type, content = '' } = data;
  if (type === 'create') return [{ type: 'diff', path, oldText: null, newText: content }];
  return hunks.map(({ lines }) => ({
    type: 'diff',
    path,
    oldText: linesWith('-', lines),
    newText: linesWith('+', lines),
  }));
};

const linesWith = (sign: '-' | '+', lines: readonly string[]): string =>
  lines.flatMap((line) => (line.startsWith(sign) ? [`${line.slice(1)}\n`] : [])).join('');
