import { askWords } from '../../src/agents/permissions.ts';
import { safe, safeBlock, visibleLines } from '../../src/base/safe.ts';
import type { OpenPermission } from '../../src/pipeline/open-permission.ts';
import { expandTabs } from '../../src/words/styled-text.ts';
import { wrap } from '../../src/words/width.ts';
import { saidBefore } from '../output/said-before.ts';
import type { ViewState } from '../view.ts';

/** A row of an open permission as it is drawn: a labelled part, a line of a command or a line of a diff. */
export interface PermissionRow {
  readonly kind: 'label' | 'added' | 'removed' | 'command';
  readonly label: string;
  readonly text: string;
  /** A line break of the command follows. Where the row only wraps there is none. */
  readonly breaks: boolean;
}

interface PermissionLine {
  readonly kind: PermissionRow['kind'];
  readonly label: string;
  readonly text: string;
  readonly breaks?: boolean;
}

/** Columns of the question's frame on a screen of `columns` columns. */
export const permissionWidth = (columns: number): number => Math.min(96, columns - 4);

/** Columns of its labels, and of what surrounds its text. */
const labelWidth = 9;
const frameWidth = 6;

/** The agent's open permission request, or `null` when it is settled. */
export const selectPermission = ({ session }: ViewState, request: string): OpenPermission | null =>
  session?.permissions.get(request) ?? null;

/** Whether this screen can answer permission requests, or why not. */
export const answersPermissions = ({ connection }: ViewState): true | string =>
  connection === 'live' || connection === 'attached'
    ? true
    : 'Only a screen of a running session can answer permission requests';

/** "gemini", or "gemini (Reviewer)": an attempt's Executor and its Reviewer may ask the same, one after the other. */
const asker = ({ agent, role }: OpenPermission): string =>
  role === null || role === 'Executor' ? agent : `${agent} (${role})`;

/** Who asks for what: "gemini asks to run". The dialog names the task before it. */
export const permissionTitle = (permission: OpenPermission): string =>
  safe(`${asker(permission)} asks ${wants[permission.kind].replace(/^(?!to )/, 'for ')}`);

/** What an agent wants, by the kind of its request. */
const wants = {
  read: 'to read',
  edit: 'to edit',
  command: 'to run',
  network: 'the network',
  mode: 'another mode',
  other: 'permission',
  'task-file': 'to run',
} as const;

/** An open permission in one line: "gemini asks: npm test"; of an edited task file its own title. */
export const permissionWords = (permission: OpenPermission): string =>
  safe(
    permission.kind === 'task-file' ? permission.title : `${asker(permission)} asks: ${askWords(permission)}`,
  );

/**
 * Who asks for what, where, why it is asked about, and the resulting diff: everything the decision depends on (src/agents/README.md, ACP flow, step 6). The
 * command is in it whole, wrapped to the screen.
 */
export const permissionRows = (
  permission: OpenPermission,
  workspace: string,
  columns: number,
  said = '',
): readonly PermissionRow[] => {
  const width = Math.max(10, permissionWidth(columns) - labelWidth - frameWidth);
  const all = permissionLines(permission, workspace, saidLines(said, width)).flatMap(
    ({ kind, label, text, breaks = false }) => {
      const rows = wrap(text === '' ? ' ' : text, width);
      return rows.map((row, index) => ({
        kind,
        label: index === 0 ? label : '',
        text: row,
        breaks: breaks && index === rows.length - 1,
      }));
    },
  );
  // A long command would push out of sight where it runs.
  const command = all.filter(({ kind }) => kind === 'command');
  return permission.kind !== 'command' || command.length > mostFirst
    ? all
    : [...command, ...all.filter(({ kind }) => kind !== 'command')];
};

/** The rows of the dialog on this screen, with what the agent said before it asked: often its reason. */
export const selectPermissionRows = (
  view: ViewState,
  permission: OpenPermission,
  columns: number,
): readonly PermissionRow[] =>
  permissionRows(permission, view.session?.workspace ?? '', columns, saidBefore(view, permission));

/** The end of the agent's words, as far as they have room. */
const saidLines = (said: string, width: number): readonly PermissionLine[] => {
  if (said === '') return [];
  const rows = wrap(said, width);
  const kept = rows.slice(-mostSaid);
  const text = rows.length > kept.length ? `… ${kept.slice(1).join(' ')}` : kept.join(' ');
  return [{ kind: 'label', label: 'Says', text }];
};

const mostSaid = 4;

/** Rows of a command that stands before all else at most. */
const mostFirst = 6;

const permissionLines = (
  permission: OpenPermission,
  workspace: string,
  said: readonly PermissionLine[],
): readonly PermissionLine[] => {
  const { invocation, task, kind, title, command, directory, paths, diffs, notes, once } = permission;
  // A task's own worktree is outside the workspace.
  const places = [workspace, ...(kind === 'edit' ? [directory] : [])];
  const row = (label: string, text: string): PermissionLine => ({ kind: 'label', label, text: safe(text) });
  const listed = (label: string, texts: readonly string[]): readonly PermissionLine[] =>
    texts.map((text, index) => row(index === 0 ? label : '', text));
  return [
    ...(kind === 'task-file'
      ? [row('Task', task ?? ''), row('File', title)]
      : [
          row(
            'Agent',
            task === null
              ? [...new Set([permission.agent, invocation])].join(', ')
              : `${asker(permission)} on ${task}`,
          ),
          // The command below says it all.
          ...(kind === 'command' && command === title
            ? []
            : [row('Wants', `${wants[kind]}${command === title ? '' : `: ${shortTitle(title)}`}`)]),
        ]),
    row('In', directory),
    ...listed('Why', notes),
    ...(once === null || kind === 'task-file' ? [] : [row('Once', once)]),
    ...(command === null ? [] : commandLines(command)),
    ...listed(
      'Files',
      paths.map((path) => pathIn(places, path)),
    ),
    ...said,
    ...diffs.flatMap(({ path, before, after }) => [
      row('', ''),
      row('Changes', pathIn(places, path)),
      ...linesOf(before).map((text): PermissionLine => ({ kind: 'removed', label: '', text })),
      ...linesOf(after).map((text): PermissionLine => ({ kind: 'added', label: '', text })),
    ]),
  ];
};

/** An agent's title may be the whole command, or longer: its beginning is enough beside the parts that it names. */
const shortTitle = (title: string): string => (title.length > 160 ? `${title.slice(0, 160)}…` : title);

/** A path as a person reads it: relative inside the workspace or the directory shown above it, else absolute. */
const pathIn = (places: readonly string[], path: string): string => {
  const place = places.find((each) => each.length > 1 && path.startsWith(`${each}/`));
  return place === undefined ? path : path.slice(place.length + 1);
};

/** Shows every line and every character of a command, because the lines after the first run as well. */
const commandLines = (command: string): readonly PermissionLine[] => {
  const lines = visibleLines(command);
  return lines.map((text, index) => ({
    kind: 'command',
    label: index === 0 ? 'Command' : '',
    text,
    breaks: index < lines.length - 1,
  }));
};

const linesOf = (text: string): readonly string[] =>
  text === ''
    ? []
    : safeBlock(text.endsWith('\n') ? text.slice(0, -1) : text)
        .split('\n')
        .map((line) => expandTabs(line, 0));
