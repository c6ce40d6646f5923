import { isAbsolute, join, relative } from 'node:path';
import { commandInFull, commandText } from '../../agents/command-text.ts';
import { sha256 } from '../../base/hash.io.ts';
import { safe, visibleLines } from '../../base/safe.ts';
import type { WorkspaceFacts } from '../../discovery/checks/facts.ts';
import { scriptBehind } from '../../discovery/checks/package-scripts.ts';
import type { Layer } from '../../session/config.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { wideningSettings } from '../../session/settings/widening-settings.ts';
import type { Plan } from '../../tasks/plan-file.ts';
import type { Command, TaskDefinition } from '../../tasks/task.ts';

/** A part of the repository that would run commands or widen permissions. */
export interface Subject {
  /** Name for people, safe to show: `plan.yaml`, `.ralph/config.yaml`, `session 260215-101500`. Unique in its workspace. */
  readonly name: string;
  /** Digest of the bytes that count; 64 hexadecimal digits. */
  readonly sha256: string;
  /** `would run 3 commands in 2 tasks` */
  readonly would: string;
  /** Each command and each setting, safe to show. */
  readonly lines: readonly string[];
  /** Whether the session looks the answer up again: one that cannot be saved does not count. */
  readonly isRead?: true;
}

/** A plan file that a person named or chose on the start screen; `text` is the text that runs. */
export const planSubject = (
  workspace: string,
  file: string,
  text: string,
  plan: Plan,
  layers: readonly Layer[],
): Subject => {
  const path = isAbsolute(file) ? file : join(workspace, file);
  const inside = relative(workspace, path);
  return subjectOf(inside.startsWith('..') ? path : inside, text, plan.tasks, layers);
};

/** The checks discovered in the repository's manifests. Their bytes count, because they define the commands. */
export const checksSubject = (facts: WorkspaceFacts, plan: Plan, text: string): Subject => {
  const manifests = [...facts.texts].sort(([a], [b]) => (a < b ? -1 : 1));
  const found = subjectOf("this repository's checks", JSON.stringify([text, manifests]), plan.tasks, []);
  const behind = plan.tasks
    .flatMap(({ run }) => run)
    .flatMap((command) => {
      const script = scriptBehind(facts, command);
      return script === null ? [] : linesOf(commandText(command), ' is', script);
    });
  return { ...found, lines: [...found.lines, ...behind] };
};

/** `.ralph/config.yaml`, when one of its settings needs consent; else `null`. */
export const configSubject = (layers: readonly Layer[]): Subject | null => {
  const layer = layers.find(({ name }) => name === 'workspace');
  const widened = wideningSettings(layer?.values ?? {}).map(safe);
  if (widened.length === 0) return null;
  return {
    name: '.ralph/config.yaml',
    sha256: layer?.sha256 ?? '',
    would: `sets ${counted(widened.length, 'key')}`,
    lines: widened,
  };
};

/** A session directory that this program did not start here. `journal` is its first line, which is unique to the session. */
export const sessionSubject = (
  paths: SessionPaths,
  journal: string,
  tasks: readonly TaskDefinition[],
  layers: readonly Layer[],
): Subject => {
  const subject = subjectOf(sessionName(paths.session), journal, tasks, layers);
  return { ...subject, would: `was not started here and ${subject.would}` };
};

export const sessionName = (session: string): string => `session ${session}`;

const subjectOf = (
  name: string,
  bytes: string,
  tasks: readonly TaskDefinition[],
  layers: readonly Layer[],
): Subject => {
  const commands = tasks.flatMap(commandLines);
  // A task without commands gives instructions to an agent.
  const told = tasks
    .filter(({ run }) => run.length === 0)
    .map(({ id, title, objective }) => safe(`${id}: instructs an agent: ${objective || title}`));
  const widened = layers
    .flatMap(({ values }) => wideningSettings(values))
    .map((line) => safe(`sets ${line}`));
  const settings = widened.length === 0 ? '' : ` and sets ${counted(widened.length, 'key')}`;
  return {
    name: safe(name),
    sha256: sha256(bytes),
    would: `${started(commands.length)} in ${counted(tasks.length, 'task')}${settings}`,
    lines: [...widened, ...commands.flat(), ...told],
  };
};

const started = (commands: number): string =>
  commands === 0 ? 'would instruct agents' : `would run ${counted(commands, 'command')}`;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Every command a task may start, including `verify` and `on_steer`; each as its lines. */
const commandLines = (task: TaskDefinition): readonly (readonly string[])[] => [
  ...task.run.map((command) => shownCommand(task, '', command)),
  ...task.verify.map((command) => shownCommand(task, 'verify: ', command)),
  ...(task.on_steer ?? []).map((command) => shownCommand(task, 'on steer: ', command)),
];

const shownCommand = (task: TaskDefinition, when: string, command: Command): readonly string[] =>
  linesOf(task.id, '', `${when}${commandInFull(command)}`);

/**
 * Shows each line by itself, because a shell runs each line. On one line, a command behind a comment and a line
 * break would look like part of the comment. Shortens runs of blanks and drops empty lines, so that nothing can
 * push a command out of sight.
 */
const linesOf = (subject: string, verb: string, text: string): readonly string[] =>
  visibleLines(text).flatMap((line, index) =>
    line.trim() === ''
      ? []
      : [`${safe(subject)}${index === 0 ? verb : `, line ${index + 1}`}: ${line}`.replaceAll(/ {2,}/g, ' ')],
  );
