import { z } from 'zod';
import { isForbiddenVariable } from '../base/process/forbidden-variable.ts';
import { durationSchema, formatDuration } from './duration.ts';
import { pathProblem } from './relative-path.ts';
import type { Command, TaskDefinition } from './task.ts';

const variables = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).check((context) => {
  for (const name of Object.keys(context.value)) {
    const message = !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
      ? 'is not a valid environment variable name'
      : isForbiddenVariable(name)
        ? 'must not be set by a plan, because it can make other commands run arbitrary code'
        : null;
    if (message !== null)
      context.issues.push({ code: 'custom', message, path: [name], input: context.value });
  }
});

/** A path that stays inside the workspace. */
export const insidePath = z
  .string()
  .refine((path) => pathProblem(path) === null, { error: 'must be a path inside the workspace' });

const noZeroByte = z
  .string()
  .min(1)
  .regex(/^[^\u0000]*$/, { error: 'must not contain a NUL character' });

/** A command as written by people: a shell line, an argv, or `{cmd, cwd, env, timeout, shows}`. Parses to a `Command`. */
const commandText = z.union([
  noZeroByte,
  z.array(noZeroByte).min(1),
  z.strictObject({
    cmd: z.union([noZeroByte, z.array(noZeroByte).min(1)]),
    cwd: insidePath.optional(),
    env: variables.optional(),
    timeout: durationSchema.optional(),
    shows: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional(),
  }),
]);

/** `run`, `verify`, `on_steer`: a list of commands. A single shell line may omit the list. */
export const commandsSchema = z
  .union([noZeroByte, z.array(commandText)])
  .transform((value): readonly Command[] => (typeof value === 'string' ? [value] : value).map(toCommand));

const toCommand = (text: z.output<typeof commandText>): Command => {
  if (typeof text === 'string' || Array.isArray(text)) return { cmd: text };
  const env = Object.entries(text.env ?? {}).map(([name, value]) => [name, String(value)]);
  return {
    cmd: text.cmd,
    ...(text.cwd === undefined ? {} : { cwd: text.cwd }),
    ...(env.length === 0 ? {} : { env: Object.fromEntries(env) }),
    ...(text.timeout === undefined ? {} : { timeout_ms: text.timeout }),
    ...(text.shows === undefined
      ? {}
      : { shows: typeof text.shows === 'string' ? [text.shows] : text.shows }),
  };
};

/** The shortest form of a command that parses back to the same one. */
export const formatCommand = (command: Command): unknown => {
  const { cmd, cwd, env, timeout_ms, shows } = command;
  if ([cwd, env, timeout_ms, shows].every((value) => value === undefined)) return cmd;
  return {
    cmd,
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    ...(timeout_ms === undefined ? {} : { timeout: formatDuration(timeout_ms) }),
    ...(shows === undefined ? {} : { shows }),
  };
};

/** All commands of a task, which its file holds in the front matter. */
export type TaskCommands = Pick<TaskDefinition, 'run' | 'verify' | 'on_steer'>;

/** Commands as people read them, one per line; a command with options as JSON. */
export const commandsText = (commands: readonly Command[]): string =>
  commands
    .map(formatCommand)
    .map((form) => (typeof form === 'string' ? form : JSON.stringify(form)))
    .join('\n');

/** Whether both run the same commands in the same order. */
export const sameCommands = (one: TaskCommands, other: TaskCommands): boolean =>
  (['run', 'verify', 'on_steer'] as const).every(
    (name) => commandsText(one[name] ?? []) === commandsText(other[name] ?? []),
  );

/** True when the command says that the criterion holds exactly when it exits 0. */
export const shows = ({ shows: named = [] }: Command, criterion: string): boolean =>
  named.some((one) => plain(one) === plain(criterion));

const plain = (text: string): string => text.trim().toLowerCase();
