import type { PermissionAsk, PermissionKind } from '../../agents/permissions.ts';

/** What the names of tools in `allowed-tools` stand for. Names that are not here allow nothing. */
const kindsOf: Readonly<Record<string, PermissionKind>> = {
  edit: 'edit',
  multiedit: 'edit',
  notebookedit: 'edit',
  write: 'edit',
  bash: 'command',
  shell: 'command',
  execute: 'command',
  webfetch: 'network',
  websearch: 'network',
  fetch: 'network',
};

/**
 * Why the `allowed-tools` of a skill forbid a request, as a sentence; `null` when they do not, or when there is no list. Reading is the work of every
 * skill and is left to the preset. A list only narrows: what it names is still judged by the preset.
 */
export const notAllowedBy = (
  allowed: readonly string[] | null,
  { kind, command }: Pick<PermissionAsk, 'kind' | 'command'>,
): string | null => {
  if (allowed === null || kind === 'read') return null;
  const isAllowed = allowed.map(entryOf).some((entry) => {
    if (entry.kind !== kind) return false;
    return kind !== 'command' || entry.pattern === null || runs(entry.pattern, command ?? '');
  });
  return isAllowed ? null : `the skill allows only ${allowed.join(', ') || 'reading'}`;
};

/**
 * The same of a call that an agent made without asking. One of a kind that no list names is its own matter: it thinks, or notes what to do. A command that
 * it did not name fits no pattern.
 */
export const sawNotAllowed = (
  allowed: readonly string[] | null,
  call: Pick<PermissionAsk, 'kind' | 'command'>,
): string | null =>
  call.kind === 'edit' || call.kind === 'command' || call.kind === 'network'
    ? notAllowedBy(allowed, call)
    : null;

/** `Bash(git log:*)` is a command that begins with `git log`. */
const entryOf = (
  entry: string,
): { readonly kind: PermissionKind | null; readonly pattern: string | null } => {
  const [, name = '', pattern] = /^([^()]+)(?:\(([^()]*)\))?$/.exec(entry) ?? [];
  return { kind: kindsOf[name.toLowerCase()] ?? null, pattern: pattern ?? null };
};

/** Several commands in one, and words that a shell replaces, are never what a pattern names. */
const isOneCommand = (command: string): boolean => !/[;&|<>`\n\r]|\$[({]/.test(command);

const runs = (pattern: string, command: string): boolean => {
  if (!isOneCommand(command)) return false;
  const start = /^(.*?)[: ]\*$/.exec(pattern)?.[1];
  if (start === undefined) return command.trim() === pattern.trim();
  return command.trim() === start || command.trim().startsWith(`${start} `);
};
