import { z } from 'zod';
import type { Fault, Parsed } from '../base/fault.ts';
import { commandsSchema, formatCommand, type TaskCommands } from './commands.ts';
import { parseDependencies } from './dependencies.ts';
import { durationSchema, formatDuration } from './duration.ts';
import { editFrontMatter, formatFrontMatter, parseFrontMatter } from './front-matter.ts';
import { checkValue } from './schema-faults.ts';
import { bullets, escapeText, oneLine, sectionOf, splitSections, unescapeText } from './sections.ts';
import { placesSchema, type TaskDefinition, taskIdSchema } from './task.ts';

/** A task file as read: the task, and fields that the program keeps but does not use. */
interface TaskFile {
  readonly definition: TaskDefinition;
  readonly inheritedBy: readonly string[];
  readonly createdAt: string | null;
  /** The first fault that keeps its commands from being read. */
  readonly wrongCommands: Fault | null;
}

/**
 * Reads `tasks/<id>.md` (src/session/README.md, Task file). Never refuses: `name` is the file's name without `.md` and replaces an id that is
 * missing or cannot be a file name. Checkboxes under Success Criteria are criteria, never status.
 */
export const parseTask = (text: string, name: string, iteration = 1): Parsed<TaskFile> => {
  const file = `${name}.md`;
  const { value: matter, problems: found } = parseFrontMatter(text, file);
  const problems: Fault[] = [...found];
  let wrongCommands = found[0] ?? null;
  const field = <T>(key: string, schema: z.ZodType<T>): T | undefined => {
    const entry = matter.data[key];
    if (entry === undefined || entry === null) return undefined;
    const checked = checkValue(schema, entry, { file, line: matter.yaml?.line ?? null }, 'task-field', [key]);
    if (checked.ok) return checked.value;
    problems.push(...checked.faults);
    return undefined;
  };
  const commands = (key: string) => {
    const before = problems.length;
    const value = field(key, commandsSchema);
    wrongCommands ??= problems[before] ?? null;
    return value;
  };
  const sections = splitSections(matter.body, 2);
  const body = (title: string): string => sectionOf(sections, title)?.body ?? '';
  const edges = parseDependencies(body('Dependencies'), matter.data, file);
  problems.push(...edges.problems);
  const phase = field('phase', text_);
  const agent = field('agent', text_);
  const on = field('on', placesSchema);
  const timeout = field('timeout', durationSchema);
  const metadata = field('metadata', z.record(z.string(), z.unknown()));
  const definition: TaskDefinition = {
    id: field('id', idSchema) ?? name,
    iteration: field('iteration', z.coerce.number().int().positive()) ?? iteration,
    title: titleOf(matter.body, body('Title'), name),
    objective: unescapeText(body('Objective')),
    blockedBy: edges.value.blockedBy,
    files: bullets(body('Files')).map(withoutTicks).filter(isSomething),
    criteria: bullets(body('Success Criteria')),
    run: commands('run') ?? [],
    verify: commands('verify') ?? [],
    on_steer: commands('on_steer') ?? null,
    type: /^\W*seq/i.test(String(matter.data['type'] ?? '')) ? 'Sequential' : 'Parallelizable',
    role: field('role', text_) ?? 'executor',
    ...(phase === undefined ? {} : { phase }),
    ...(agent === undefined ? {} : { agent }),
    ...(on === undefined ? {} : { on }),
    ...(timeout === undefined ? {} : { timeout_ms: timeout }),
    replaced_by: field('replaced_by', z.array(idSchema)) ?? [],
    grounded_in: unescapeText(body('Grounded In')),
    notes: unescapeText(body('Notes')),
    ...(metadata === undefined ? {} : { metadata }),
  };
  const createdAt = field('created_at', text_) ?? null;
  return { value: { definition, inheritedBy: edges.value.inheritedBy, createdAt, wrongCommands }, problems };
};

const text_ = z.union([z.string(), z.number()]).transform(String);
const idSchema = text_.pipe(taskIdSchema);

const withoutTicks = (item: string): string => /^`([^`]+)`/.exec(item)?.[1] ?? item;

const isSomething = (item: string): boolean => !/^(none|n\/a|-|tbd)\.?$/i.test(item);

const titleOf = (text: string, section: string, name: string): string => {
  const written = section.trim().split(/\s*[\r\n]+\s*/)[0] ?? '';
  if (written !== '') return written;
  const heading = /^#[ \t]+(?:Task:[ \t]*)?(.+)$/m.exec(text)?.[1]?.trim() ?? '';
  return heading === '' ? name : heading;
};

/** The fields of a task file beside the task itself. */
interface TaskFileStamps {
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Tasks blocked by this one. */
  readonly inheritedBy: readonly string[];
}

/** Formats a new task file. `parseTask` restores the same task. */
export const formatTask = (task: TaskDefinition, stamps: TaskFileStamps): string => {
  const matter = { ...frontMatterOf(task), created_at: stamps.createdAt, updated_at: stamps.updatedAt };
  const parts = sectionTitles.map((title) => `## ${title}\n${sectionBody(title, task, stamps.inheritedBy)}`);
  return formatFrontMatter(matter, `# Task: ${task.id}\n\n${parts.join('\n')}`);
};

/** The text of a task file with other commands. Everything else in it stays. */
export const editTaskCommands = (text: string, { run, verify, on_steer }: TaskCommands): string =>
  editFrontMatter(text, {
    run: run.length === 0 ? undefined : run.map(formatCommand),
    verify: verify.length === 0 ? undefined : verify.map(formatCommand),
    on_steer: on_steer === null ? undefined : on_steer.map(formatCommand),
  });

const frontMatterOf = (task: TaskDefinition): Readonly<Record<string, unknown>> => ({
  id: task.id,
  iteration: task.iteration,
  type: task.type,
  role: task.role === 'executor' ? undefined : task.role,
  phase: task.phase,
  agent: task.agent,
  on: task.on,
  timeout: task.timeout_ms === undefined ? undefined : formatDuration(task.timeout_ms),
  replaced_by: task.replaced_by.length === 0 ? undefined : task.replaced_by,
  run: task.run.length === 0 ? undefined : task.run.map(formatCommand),
  verify: task.verify.length === 0 ? undefined : task.verify.map(formatCommand),
  on_steer: task.on_steer === null ? undefined : task.on_steer.map(formatCommand),
  metadata: task.metadata,
});

const sectionTitles = [
  'Title',
  'Files',
  'Objective',
  'Grounded In',
  'Success Criteria',
  'Dependencies',
  'Notes',
] as const;

const sectionBody = (
  title: (typeof sectionTitles)[number],
  task: TaskDefinition,
  inheritedBy: readonly string[],
): string => {
  const bodies: Record<(typeof sectionTitles)[number], string> = {
    Title: oneLine(task.title),
    Files: task.files.map((file) => `- ${oneLine(file)}`).join('\n'),
    Objective: escapeText(task.objective),
    'Grounded In': escapeText(task.grounded_in),
    'Success Criteria': task.criteria.map((criterion) => `- [ ] ${oneLine(criterion)}`).join('\n'),
    Dependencies: `depends_on: [${task.blockedBy.join(', ')}]\ninherited_by: [${inheritedBy.join(', ')}]`,
    Notes: escapeText(task.notes),
  };
  return bodies[title] === '' ? '' : `${bodies[title]}\n`;
};
