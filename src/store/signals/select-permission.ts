import { askWords } from '../../agents/permissions.ts';
import { safe, safeBlock } from '../../base/safe.ts';
import type { OpenPermission } from '../../pipeline/open-permission.ts';
import type { ViewState } from '../view.ts';

/** A line of an open permission: a labelled part, or a line of a diff. */
export interface PermissionLine {
  readonly kind: 'label' | 'added' | 'removed' | 'plain';
  readonly label: string;
  readonly text: string;
}

/** The agent's open permission request, or `null` when it is settled. */
export const selectPermission = ({ session }: ViewState, request: string): OpenPermission | null =>
  session?.permissions.get(request) ?? null;

/** An open permission in one line: "gemini asks: npm test"; of an edited task file its own title. */
export const permissionWords = (permission: OpenPermission): string =>
  safe(
    permission.kind === 'task-file' ? permission.title : `${permission.agent} asks: ${askWords(permission)}`,
  );

/** Who asks for what, where, and the resulting diff: everything the decision depends on (agents.md, ACP flow, step 6). */
export const permissionLines = (permission: OpenPermission, workspace: string): readonly PermissionLine[] => {
  const { agent, invocation, task, kind, title, command, directory, paths, diffs } = permission;
  // A task's own worktree lies outside the workspace.
  const places = [workspace, ...(kind === 'edit' ? [directory] : [])];
  const row = (label: string, text: string): PermissionLine => ({ kind: 'label', label, text: safe(text) });
  return [
    ...(kind === 'task-file'
      ? [row('Task', task ?? ''), row('File', title)]
      : [
          row('Agent', `${agent}, ${invocation}${task === null ? '' : ` on ${task}`}`),
          row('Wants', `${kind}: ${title}`),
        ]),
    ...(command === null ? [] : blockOf('Command', command)),
    row('In', directory),
    ...paths.map((path, index) => row(index === 0 ? 'Files' : '', pathIn(places, path))),
    ...diffs.flatMap(({ path, before, after }) => [
      row('', ''),
      row('Changes', pathIn(places, path)),
      ...linesOf(before).map((text): PermissionLine => ({ kind: 'removed', label: '', text })),
      ...linesOf(after).map((text): PermissionLine => ({ kind: 'added', label: '', text })),
    ]),
  ];
};

/** A path as a person reads it: relative inside the workspace or the directory shown above it, else absolute. */
const pathIn = (places: readonly string[], path: string): string => {
  const place = places.find((each) => each.length > 1 && path.startsWith(`${each}/`));
  return place === undefined ? path : path.slice(place.length + 1);
};

/** Shows every line of a command, because the lines after the first run as well. */
const blockOf = (label: string, text: string): readonly PermissionLine[] =>
  linesOf(text).map((line, index) => ({ kind: 'plain', label: index === 0 ? label : '', text: line }));

const linesOf = (text: string): readonly string[] =>
  text === '' ? [] : safeBlock(text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
