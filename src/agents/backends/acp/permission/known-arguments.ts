import { isRecord } from '../../../../base/json.ts';
import type { PermissionKind } from '../../../permissions.ts';

/** The names under which agents give a place. */
export const pathNames = [
  'path',
  'file_path',
  'filePath',
  'filepath',
  'absolute_path',
  'notebook_path',
  'dir_path',
  'parentDir',
] as const;

/**
 * The arguments of a request whose meaning for its kind is not known here, by name. A tool may give a command or a file any name (`cmd`, `paths`, `glob`), so
 * that what is not on a list is asked about. A known name with a value of another shape counts as unknown: nobody would judge it.
 */
export const unknownArguments = (kind: PermissionKind, input: unknown): readonly string[] => {
  if (input === null || input === undefined || !(kind in arguments_)) return [];
  if (!isRecord(input)) return ['its whole input'];
  return Object.entries(input)
    .filter(([, value]) => value !== null && value !== undefined)
    .filter(([name, value]) => !meaningOf(kind, name)?.(value))
    .map(([name]) => name);
};

type Shape = (value: unknown) => boolean;

const text: Shape = (value) => typeof value === 'string';
const words: Shape = (value) => text(value) || (Array.isArray(value) && value.every(text));
/** A number, a switch, or one short word that can be no path; several of them by name. */
const flag: Shape = (value) =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && /^[\w,:-]{0,40}$/u.test(value)) ||
  (isRecord(value) && Object.values(value).every((each) => !isRecord(each) && flag(each)));
/** What is looked for. As a glob it stays below the directory that it is looked for in. */
const pattern: Shape = (value) =>
  typeof value === 'string' && !/^[/~\\]|\.\.|[$`]/u.test(value) && !/^\{?[a-z]:/iu.test(value);
const edits: Shape = (value) =>
  Array.isArray(value) &&
  value.every(
    (each) => isRecord(each) && Object.entries(each).every(([name, part]) => changes[name]?.(part) === true),
  );
const anything: Shape = () => true;

const shaped = (shape: Shape, names: readonly string[]): Readonly<Record<string, Shape>> =>
  Object.fromEntries(names.map((name) => [name, shape]));

const places = shaped(text, [...pathNames, 'cwd', 'workdir', 'directory']);
/** Names that the protocol of an agent adds to each request, and words for the person. */
const ofEach = {
  ...shaped(flag, ['call_id', 'callId', 'turn_id', 'turnId', 'thread_id', 'threadId', 'item_id', 'itemId']),
  ...shaped(flag, ['approval_id', 'approvalId', 'started_at_ms', 'startedAtMs']),
  ...shaped(text, ['description', 'reason', 'justification']),
  // Asked about by a sentence of its own.
  ...shaped(anything, ['additionalPermissions']),
};

const reads = {
  ...shaped(flag, [
    'offset',
    'limit',
    'pages',
    'line',
    'column',
    'start_line',
    'end_line',
    'startLine',
    'endLine',
  ]),
  ...shaped(flag, [
    'recursive',
    'depth',
    'case_sensitive',
    'caseSensitive',
    'multiline',
    'head_limit',
    'output_mode',
  ]),
  ...shaped(flag, [
    'respect_git_ignore',
    'file_filtering_options',
    'max_results',
    'maxResults',
    'type',
    'cell_id',
  ]),
  ...shaped(flag, ['-A', '-B', '-C', '-n', '-i']),
  ...shaped(pattern, ['pattern', 'query']),
};

const changes: Readonly<Record<string, Shape>> = {
  ...shaped(text, ['content', 'old_string', 'new_string', 'oldString', 'newString', 'old_text', 'new_text']),
  ...shaped(text, [
    'oldText',
    'newText',
    'new_source',
    'diff',
    'instruction',
    'originalContent',
    'newContent',
  ]),
  ...shaped(text, ['ai_proposed_content']),
  ...shaped(flag, ['replace_all', 'replaceAll', 'expected_replacements', 'modified_by_user']),
  ...shaped(flag, ['cell_id', 'cell_type', 'edit_mode', 'insert_line']),
};

/** What a shell line comes with. The command is shown whole; none of these runs anything else. */
const commands = {
  ...shaped(words, ['command']),
  ...shaped(flag, [
    'timeout',
    'timeout_ms',
    'timeoutMs',
    'run_in_background',
    'is_background',
    'yield_time_ms',
  ]),
  ...shaped(flag, ['max_output_tokens', 'login', 'tty']),
  // What Codex derived of the command, and what it offers to remember.
  ...shaped(anything, ['parsed_cmd', 'parsedCmd', 'commandActions', 'command_actions']),
  ...shaped(anything, ['proposed_execpolicy_amendment', 'proposedExecpolicyAmendment']),
  ...shaped(anything, ['available_decisions', 'availableDecisions']),
};

/** Of the kinds that a preset may allow. */
const arguments_: Partial<Readonly<Record<PermissionKind, Readonly<Record<string, Shape>>>>> = {
  read: { ...places, ...ofEach, ...reads },
  edit: { ...places, ...ofEach, ...changes, ...shaped(edits, ['edits']) },
  command: { ...places, ...ofEach, ...commands },
};

const meaningOf = (kind: PermissionKind, name: string): Shape | undefined => {
  const known = arguments_[kind];
  return known !== undefined && Object.hasOwn(known, name) ? known[name] : undefined;
};
