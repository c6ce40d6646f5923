import { relative } from 'node:path';
import type { PermissionAnswer, PermissionAsk } from '../../agents/permissions.ts';
import { formatFault } from '../../base/fault.ts';
import { redacted } from '../../base/redact.ts';
import { readBytes } from '../../base/replace-file.ts';
import { commandsText, sameCommands, type TaskCommands } from '../../tasks/commands.ts';
import type { TaskDefinition } from '../../tasks/task.ts';
import { parseTask } from '../../tasks/task-file.ts';
import type { Core } from '../core.ts';
import { nameIn } from '../snapshots/edit-conflict.ts';
import type { Active } from './active.ts';
import type { Permissions } from './permissions.ts';

/**
 * Commands that were edited in a task file. The next attempt runs them only when a person says so on the hosting screen, because an agent can
 * write there too.
 */
export interface EditedCommands {
  /** The task of this attempt, with the edited commands if a person agreed to them. Never rejects. */
  taskFor(active: Active): Promise<TaskDefinition | undefined>;
}

/** Bytes: more than a task file can hold. */
const largestFile = 1024 * 1024;

export const createEditedCommands = (
  core: Core,
  permissions: Pick<Permissions, 'confirm'>,
): EditedCommands => {
  /** Edits that the person refused, by task and commands: every attempt would ask again. */
  const refused = new Set<string>();

  const note = ({ brief }: Active, text: string): void => {
    core.loop.run(() => core.loop.commit({ type: 'finding.noted', invocation: brief.invocation, text }));
  };

  const taskFor = async (active: Active): Promise<TaskDefinition | undefined> => {
    const { task, role } = active.brief;
    if (task === undefined || role !== 'Executor') return task;
    const found = readEdited(core, task);
    if (found === null) return task;
    const { file, edited, isAgreed } = found;
    if (typeof edited === 'string') {
      note(active, `the edit of ${file} is not used: ${edited}`);
      return task;
    }
    const key = keyOf(task.id, edited);
    const answer = isAgreed ? 'allow' : refused.has(key) ? 'refuse' : await ask(active, file, task, edited);
    if (answer === 'refuse') {
      const { attended } = core.loop.state();
      if (attended) refused.add(key);
      const why = attended
        ? 'you refused them on the screen'
        : 'only a person on the screen that runs the session can confirm them';
      note(active, `the edited commands in ${file} are not used: ${why}`);
    }
    if (answer !== 'allow' || !core.loop.isOpen()) return task;
    core.loop.run(() =>
      core.loop.commit({
        type: 'task.commands-edited',
        task: task.id,
        invocation: active.brief.invocation,
        ...edited,
      }),
    );
    return { ...task, ...edited };
  };

  const ask = (
    active: Active,
    file: string,
    task: TaskDefinition,
    edited: TaskCommands,
  ): Promise<PermissionAnswer> =>
    permissions.confirm(active, 'task file', questionOf(active, file, task, edited));

  return { taskFor };
};

const keyOf = (task: string, { run, verify, on_steer }: TaskCommands): string =>
  JSON.stringify([task, commandsText(run), commandsText(verify), commandsText(on_steer ?? [])]);

interface Edited {
  readonly file: string;
  /** A sentence when the commands cannot be used. */
  readonly edited: TaskCommands | string;
  /** A person wrote or accepted these bytes before. */
  readonly isAgreed: boolean;
}

/** The commands in the task's file if they differ from those that are known, else `null`. */
const readEdited = (core: Core, task: TaskDefinition): Edited | null => {
  const { options } = core;
  const path = options.paths.iteration(task.iteration).task(task.id);
  const file = nameIn(core, path);
  const unusable = (edited: string): Edited => ({ file, edited, isAgreed: false });
  let bytes: Uint8Array | null;
  try {
    bytes = readBytes(options.disk, path, largestFile);
  } catch {
    return unusable('it cannot be read');
  }
  if (bytes === null) return null;
  const text = new TextDecoder().decode(bytes);
  const { definition, wrongCommands } = parseTask(text, task.id, task.iteration).value;
  if (wrongCommands !== null) return unusable(formatFault(wrongCommands));
  const { run, verify, on_steer } = definition;
  const edited = { run, verify, on_steer };
  if (sameCommands(edited, task)) return null;
  return JSON.stringify(edited).includes(redacted)
    ? unusable(`it says ${redacted} where a secret was removed`)
    : {
        file,
        edited,
        isAgreed: options.isAgreed?.(relative(options.paths.workspace, path), bytes) === true,
      };
};

const questionOf = (
  { brief }: Active,
  file: string,
  task: TaskDefinition,
  edited: TaskCommands,
): PermissionAsk => ({
  call: 'edited-commands',
  kind: 'task-file',
  title: `${file} was edited: run its commands`,
  command: null,
  directory: brief.workspace,
  paths: [],
  diffs: (['run', 'verify', 'on_steer'] as const).flatMap((name) => {
    const [before, after] = [commandsText(task[name] ?? []), commandsText(edited[name] ?? [])];
    return before === after ? [] : [{ path: name, before, after }];
  }),
  inside: true,
  ours: false,
  root: brief.workspace,
  notes: [],
  memory: { partial: 'the commands of a task file must be confirmed each time' },
});
