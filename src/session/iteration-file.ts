import type { Fault, Parsed } from '../base/fault.ts';
import { isRecord } from '../base/json.ts';
import { editYaml, formatYaml } from '../tasks/yaml-edit.ts';
import { parseYaml } from '../tasks/yaml-text.ts';
import { textOf, whole } from './metadata-file.ts';

/** `iterations/<N>/metadata.yaml`: the timing of one iteration (src/session/README.md). */
export interface IterationMetadata {
  readonly version: number;
  readonly iteration: number;
  readonly started_at: string | null;
  readonly planning_complete: boolean;
  readonly planning_completed_at: string | null;
  readonly completed_at: string | null;
  readonly tasks_defined: number;
}

/** Reads leniently, also `planning_complete: "true"`. `iteration` is the number of the directory, for a file without one. */
export const parseIteration = (
  text: string,
  iteration: number,
  file = `iterations/${iteration}/metadata.yaml`,
): Parsed<IterationMetadata> => {
  const { value: yaml, problems: found } = parseYaml(text, file);
  const problems: Fault[] = [...found];
  const root = isRecord(yaml.value) ? yaml.value : {};
  if (!isRecord(yaml.value) && found.length === 0) {
    problems.push({ code: 'metadata-shape', what: 'is not a map', where: file });
  }
  const timing = isRecord(root['timing']) ? root['timing'] : root;
  return {
    value: {
      version: whole(root['version']) ?? 0,
      iteration: whole(root['iteration']) ?? iteration,
      started_at: textOf(timing['started_at']) ?? textOf(root['created_at']),
      planning_complete: /^(true|yes)$/i.test(String(root['planning_complete'] ?? '').trim()),
      planning_completed_at: textOf(timing['planning_completed_at']),
      completed_at: textOf(timing['completed_at']),
      tasks_defined: whole(root['tasks_defined']) ?? 0,
    },
    problems,
  };
};

export const formatIteration = (metadata: IterationMetadata): string => formatYaml({ ...metadata });

/** Sets our keys in the file. Comments and unknown keys survive. */
export const editIteration = (text: string, metadata: IterationMetadata): string =>
  text.trim() === '' ? formatIteration(metadata) : editYaml(text, { ...metadata });
