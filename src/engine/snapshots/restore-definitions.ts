import type { Disk } from '../../base/disk.ts';
import { diskCode } from '../../base/disk.ts';
import { redacted } from '../../base/redact.ts';
import { readText } from '../../base/replace-file.ts';
import type { SessionState, TaskState } from '../../pipeline/state.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { parseTask } from '../../tasks/task-file.ts';

/**
 * The state with full task definitions. The journal has them without secrets; the task files have them
 * as planned. Without its file a task runs as the journal knows it, and fails where the secret mattered.
 */
export const restoreDefinitions = (disk: Disk, paths: SessionPaths, state: SessionState): SessionState => {
  const restored = [...state.tasks].map(([id, task]) => [id, restore(disk, paths, task)] as const);
  return restored.every(([id, task]) => task === state.tasks.get(id))
    ? state
    : { ...state, tasks: new Map(restored) };
};

const restore = (disk: Disk, paths: SessionPaths, task: TaskState): TaskState => {
  const { definition } = task;
  if (!JSON.stringify(definition).includes(redacted)) return task;
  const file = paths.iteration(definition.iteration).task(definition.id);
  try {
    const text = readText(disk, file);
    if (text === null) return task;
    const { run, verify, on_steer, title, objective, criteria, files } = parseTask(
      text,
      definition.id,
      definition.iteration,
    ).value.definition;
    return {
      ...task,
      definition: { ...definition, run, verify, on_steer, title, objective, criteria, files },
    };
  } catch (error) {
    if (diskCode(error) === '') throw error;
    return task;
  }
};
