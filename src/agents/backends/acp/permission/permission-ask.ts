import { isAbsolute } from 'node:path';
import { z } from 'zod';
import type { ToolKind } from '../../../agent-facts.ts';
import { commandText } from '../../../command-text.ts';
import type { PermissionAsk, PermissionKind } from '../../../permissions.ts';
import type { Place, Places } from '../../../places.ts';
import type { AgentProfile } from '../../../profiles/profile.ts';
import { toolNames } from '../../../tools.ts';
import type { KnownCall } from '../tool-book.ts';
import { harmIn } from './command-harm.ts';
import { pathNames, unknownArguments } from './known-arguments.ts';
import { pathsReadBy } from './read-command.ts';
import { isSameCommand } from './same-command.ts';

/** One request as it was sent, and what the agent said of the same call before, if that call still runs. */
export interface SentRequest {
  /** From the fields of the request alone. */
  readonly call: KnownCall;
  readonly announced: KnownCall | null;
}

/** What the judgement needs beside the request. */
export interface AskPorts {
  readonly profile: Pick<AgentProfile, 'ownTool' | 'titleIsCommand'>;
  readonly places: Places;
}

/**
 * Judges a permission request by its own fields (src/agents/README.md, ACP flow, step 6). What the agent announced of the call may only make it stricter: it gives
 * no field that the request lacks, but for the differences that are shown.
 */
export const permissionAsk = ({ call, announced }: SentRequest, ports: AskPorts): PermissionAsk => {
  const own = partsOf(call, ports);
  const ours = isOurs(call, own, ports.profile);
  const notes = [...own.notes, ...(ours ? [] : contradictions(own, call, announced, ports))];
  const partial = whyPartial(own, call, announced);
  const inside = own.isPlaced && notes.length === 0;
  return {
    call: call.id,
    kind: inside && own.onlyReads ? 'read' : own.kind,
    title: call.title === '' ? `${own.kind} without a name` : call.title,
    command: own.command,
    directory: own.directory.path,
    root: ports.places.root,
    paths: own.places.map(({ path }) => path),
    diffs: own.diffs.length > 0 ? own.diffs : announcedDiffs(own, announced, ports),
    inside,
    ours,
    notes,
    memory: partial === null ? { identity: identityOf(own, call) } : { partial },
  };
};

/** The parts of a request that decide. */
interface Parts {
  readonly kind: PermissionKind;
  readonly command: string | null;
  /** The command may be longer than what is shown. */
  readonly isCut: boolean;
  readonly directory: Place;
  /** The files, without the directory of a command. */
  readonly places: readonly Place[];
  readonly diffs: PermissionAsk['diffs'];
  /** It names a place at all. */
  readonly isPlaced: boolean;
  /** The command shows by itself that it only reads, and where: inside. */
  readonly onlyReads: boolean;
  /** It asks for permissions beyond itself. */
  readonly asksForMore: boolean;
  /** Why it is not part of the work in the workspace. */
  readonly notes: readonly string[];
}

const partsOf = (call: KnownCall, { profile, places }: AskPorts): Parts => {
  const input = inputSchema.safeParse(call.rawInput).data ?? {};
  const diffs = call.content.flatMap((item) =>
    item.type === 'diff' && 'newText' in item
      ? [{ path: places.judge(item.path, true).path, before: item.oldText ?? '', after: item.newText }]
      : [],
  );
  const kind = kindOf(call.kind, input, diffs.length > 0);
  const changes = kind === 'edit';
  const named = new Set([
    ...call.paths,
    ...pathNames.flatMap((name) => input[name] ?? []),
    ...call.content.flatMap((item) => (item.type === 'diff' && 'path' in item ? [item.path] : [])),
  ]);
  const directory = places.judge(input.cwd ?? input.workdir ?? input.directory ?? places.root, false);
  const command = kind === 'command' || input.command !== undefined ? commandOf(input.command, call) : null;
  const isCut = command !== null && input.command === undefined && !profile.titleIsCommand;
  const onlyReads = kind === 'command' && command !== null && !isCut && reads(command, directory, places);
  const files = [...named].map((path) => places.judge(path, changes));
  const judged = kind === 'command' ? [directory, ...files] : files;
  const more = input.additionalPermissions;
  const unknown = unknownArguments(kind, call.rawInput).slice(0, 5);
  return {
    kind,
    command,
    isCut,
    directory,
    places: files,
    diffs,
    isPlaced: judged.length > 0,
    onlyReads,
    asksForMore: more != null,
    notes: [
      ...(kind === kinds[call.kind] || (onlyReads && kinds[call.kind] === 'read')
        ? []
        : [`the agent calls this "${call.kind}", but its fields say "${kind}"`]),
      ...new Set(judged.flatMap(({ why }) => why ?? [])),
      ...(command === null ? [] : harmIn(command, places, directory.path)),
      ...(unknown.length === 0
        ? []
        : [`it has arguments that this program does not know: ${unknown.join(', ')}`]),
      ...(more == null ? [] : [`it asks for additional permissions: ${JSON.stringify(more)}`]),
    ],
  };
};

const reads = (command: string, { path: directory }: Place, places: Places): boolean =>
  !places.hasPrograms &&
  (pathsReadBy(command)?.every(
    (path) => places.judge(isAbsolute(path) ? path : `${directory}/${path}`, false).inside,
  ) ??
    false);

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

/** The strictest kind that the request's own fields show: an agent may call a command a read. */
const kindOf = (claimed: ToolKind, { command, url }: Input, hasDiff: boolean): PermissionKind => {
  const kind = kinds[claimed];
  if (kind === 'mode' || kind === 'network') return kind;
  if (url !== undefined) return 'network';
  if (command !== undefined) return 'command';
  return hasDiff && kind !== 'command' ? 'edit' : kind;
};

const maybeText = z.string().optional().catch(undefined);

/** Agents' names for the parts of a tool's input. */
const inputSchema = z.object({
  command: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  cwd: maybeText,
  workdir: maybeText,
  directory: maybeText,
  url: maybeText,
  additionalPermissions: z.unknown().optional(),
  path: maybeText,
  file_path: maybeText,
  filePath: maybeText,
  filepath: maybeText,
  absolute_path: maybeText,
  notebook_path: maybeText,
  dir_path: maybeText,
  parentDir: maybeText,
});
type Input = z.infer<typeof inputSchema>;

const commandOf = (command: Input['command'], { title }: KnownCall): string =>
  command === undefined ? title : commandText({ cmd: command });

/**
 * Recognizes a call of one of our own tools by the name that this agent gives the tools of MCP servers. Its arguments are a model's words and never
 * count, and our tools run nothing, edit nothing and fetch nothing.
 */
const isOurs = ({ id, title, name }: KnownCall, parts: Parts, { ownTool }: AskPorts['profile']): boolean => {
  if (ownTool === null || (parts.kind !== 'other' && parts.kind !== 'read')) return false;
  return toolNames.some((tool) =>
    'name' in ownTool
      ? name === ownTool.name.replace('{tool}', tool)
      : id.startsWith(ownTool.id.replace('{tool}', tool)) && title === ownTool.title.replace('{tool}', tool),
  );
};

/** Where the request and what the agent announced of the same call differ, as sentences. Only a request that could pass unasked needs them. */
const contradictions = (
  own: Parts,
  call: KnownCall,
  announced: KnownCall | null,
  ports: AskPorts,
): readonly string[] => {
  if (announced === null || !own.isPlaced || own.notes.length > 0) return [];
  const before = partsOf({ ...announced, kind: announced.kind }, ports);
  const kind = kinds[announced.kind];
  // Codex announces a command that reads as a read, and asks for it as a command.
  const isRead = kind === 'read' && own.onlyReads;
  if (kind !== 'other' && kind !== kinds[call.kind] && !isRead)
    return [`the agent announced this call as ${announced.kind}: ${announced.title}`];
  const isOther =
    before.command !== null && own.command !== null && !isSameCommand(before.command, own.command);
  if (isOther && !before.isCut)
    return [`the agent announced this call with a different command: ${before.command}`];
  return before.notes.slice(0, 1).map((why) => `the agent announced this call differently: ${why}`);
};

/** Codex shows the differences when it announces a call and not when it asks. They are shown, and decide nothing. */
const announcedDiffs = (
  own: Parts,
  announced: KnownCall | null,
  { places }: AskPorts,
): PermissionAsk['diffs'] => {
  if (announced === null || own.kind !== 'edit') return [];
  return announced.content.flatMap((item) => {
    if (item.type !== 'diff' || !('newText' in item)) return [];
    const { path } = places.judge(item.path, true);
    return own.places.some((place) => place.path === path)
      ? [{ path, before: item.oldText ?? '', after: item.newText }]
      : [];
  });
};

/** Why the request does not show all that it would do, so that nobody can allow it for more than once. `null`: it does. */
const whyPartial = (own: Parts, { rawInput }: KnownCall, announced: KnownCall | null): string | null => {
  if (own.asksForMore) return 'it asks for more than this';
  if (own.kind === 'command' || own.command !== null)
    return own.isCut || own.command === ''
      ? 'the agent shows only a title, but the command may be longer'
      : null;
  if (own.places.length > 0) return null;
  const input = rawInput ?? announced?.rawInput;
  return typeof input === 'object' && input !== null && rawInput !== null
    ? null
    : 'the agent shows only a title, which may be incomplete';
};

/** What "this session" holds for: the kind, the whole command or the files, and the place in the repository, whichever attempt asks. */
const identityOf = (own: Parts, { kind, title, rawInput }: KnownCall): string => {
  const files = own.places.map(({ name }) => name).sort();
  const rest = own.command === null && files.length === 0 ? [title, rawInput] : [];
  return JSON.stringify([own.kind, kind, own.command, own.directory.name, files, ...rest]);
};
