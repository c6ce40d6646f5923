import { isAbsolute, join, relative } from 'node:path';
import { commandText } from '../agents/command-text.ts';
import { sha256 } from '../base/hash.io.ts';
import { safe, visibleLines } from '../base/safe.ts';
import type { WorkspaceFacts } from '../discovery/facts.ts';
import { scriptBehind } from '../discovery/rules/package-scripts.ts';
import type { Layer } from '../session/config.ts';
import type { SessionPaths } from '../session/paths.ts';
import { wideningSettings } from '../session/widening-settings.ts';
import type { Plan } from '../tasks/plan-file.ts';
import type { Command, TaskDefinition } from '../tasks/task.ts';

/** Something of the repository's own that would run commands, or widen what may be done. */
export interface Subject {
  /** As people know it, safe to show: `plan.yaml`, `.ralph/config.yaml`, `session 260215-101500`. One of a kind in its workspace. */
  readonly name: string;
  /** Of the bytes that count; 64 hexadecimal digits. */
  readonly sha256: string;
  /** `would run 3 commands in 2 tasks` */
  readonly would: string;
  /** Each command and each setting, safe to show. */
  readonly lines: readonly string[];
}

/** A plan file that a person named, or chose on the start screen; `text` is what will be run. */
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

/** The checks that were found in the repository's manifests: what they would run stands in these. */
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

/** `.ralph/config.yaml`, where it says something that a person has to agree to. */
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

/** A session directory that this program did not start here: `journal` is its first line, which no other session has. */
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
  // Without commands it is an agent that works, and does what it is told here.
  const told = tasks
    .filter(({ run }) => run.length === 0)
    .map(({ id, title, objective }) => safe(`${id}: tells an agent: ${objective || title}`));
  const widened = layers
    .flatMap(({ values }) => wideningSettings(values))
    .map((line) => safe(`sets ${line}`));
  const settings = widened.length === 0 ? '' : ` and sets ${counted(widened.length, 'key')}`;
  return {
    name: safe(name),
    sha256: sha256(bytes),
    would: `would run ${counted(commands.length, 'command')} in ${counted(tasks.length, 'task')}${settings}`,
    lines: [...widened, ...commands.flat(), ...told],
  };
};

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Everything that a task may start, not only what it runs when all goes well; each command in its lines. */
const commandLines = (task: TaskDefinition): readonly (readonly string[])[] => [
  ...task.run.map((command) => shownCommand(task, '', command)),
  ...task.verify.map((command) => shownCommand(task, 'verify: ', command)),
  ...(task.on_steer ?? []).map((command) => shownCommand(task, 'on steer: ', command)),
];

const shownCommand = (task: TaskDefinition, when: string, command: Command): readonly string[] => {
  const env = Object.entries(command.env ?? {}).map(([name, value]) => `${name}=${value} `);
  const place = command.cwd === undefined ? '' : ` (in ${command.cwd})`;
  return linesOf(task.id, '', `${when}${env.join('')}${commandText(command)}${place}`);
};

/**
 * A shell runs each line, and so each is shown as one: a command behind a comment and a line break would read as part of the comment. Runs of blanks are
 * shortened and empty lines left out, so that none can push its end out of sight.
 */
const linesOf = (subject: string, verb: string, text: string): readonly string[] =>
  visibleLines(text).flatMap((line, index) =>
    line.trim() === ''
      ? []
      : [`${safe(subject)}${index === 0 ? verb : `, line ${index + 1}`}: ${line}`.replaceAll(/ {2,}/g, ' ')],
  );
