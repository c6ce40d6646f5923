import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import type { ToolKind } from '../../agent-facts.ts';
import type { PermissionAsk, PermissionKind } from '../../permissions.ts';
import type { KnownCall } from './tool-book.ts';

/** Reads the permission that an agent asks for from the tool call in question. */
export const permissionAsk = (call: KnownCall, workspace: string): PermissionAsk => {
  const kind = kinds[call.kind];
  const input = inputSchema.safeParse(call.rawInput).data ?? {};
  const given = input.cwd ?? input.workdir ?? input.directory ?? null;
  const directory = given === null ? workspace : absolute(given, workspace);
  const diffs = call.content.flatMap((item) =>
    item.type === 'diff' && 'newText' in item
      ? [{ path: absolute(item.path, workspace), before: item.oldText ?? '', after: item.newText }]
      : [],
  );
  const paths = [
    ...new Set([...call.paths.map((path) => absolute(path, workspace)), ...diffs.map(({ path }) => path)]),
  ];
  const command = kind === 'command' ? commandOf(input.command, call.title) : null;
  const places = kind === 'command' ? [directory] : paths;
  return {
    call: call.id,
    kind,
    title: call.title,
    command,
    directory,
    paths,
    diffs,
    inside: places.length > 0 && places.every((path) => isInside(path, workspace)),
    ours: isOurs(call),
  };
};

/**
 * Recognizes a call of one of our own tools by the agent's description. Codex names server and tool in the call before it asks. Gemini puts them into
 * id and title (0.61.0: `mcp_ralph_task_update__…`, "task_update (ralph MCP Server)"). Claude and Qwen put them into the tool's name.
 */
const isOurs = ({ id, title, name, rawInput }: KnownCall): boolean => {
  const server = z.object({ server: z.string(), tool: z.string() }).safeParse(rawInput).data?.server;
  return (
    server === 'ralph' ||
    /^mcp__ralph__\w+$/.test(name ?? '') ||
    (/^mcp_ralph_\w+__/.test(id) && / \(ralph MCP Server\)$/.test(title))
  );
};

const kinds: Readonly<Record<ToolKind, PermissionKind>> = {
  read: 'read',
  search: 'read',
  think: 'read',
  edit: 'edit',
  delete: 'edit',
  move: 'edit',
  execute: 'command',
  fetch: 'network',
  switch_mode: 'mode',
  other: 'other',
};

/** Agents' names for the parts of a command's input. */
const inputSchema = z.object({
  command: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  cwd: z.string().optional().catch(undefined),
  workdir: z.string().optional().catch(undefined),
  directory: z.string().optional().catch(undefined),
});

const commandOf = (command: string | readonly string[] | undefined, title: string): string => {
  if (command === undefined) return title;
  return typeof command === 'string' ? command : command.join(' ');
};

const absolute = (path: string, workspace: string): string =>
  isAbsolute(path) ? resolve(path) : resolve(workspace, path);

const isInside = (path: string, workspace: string): boolean =>
  path === workspace || path.startsWith(workspace.endsWith('/') ? workspace : `${workspace}/`);
