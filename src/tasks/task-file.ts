import { z } from 'zod';
import type { Fault, Parsed } from '../base/fault.ts';
import { commandsSchema, formatCommand } from './commands.ts';
import { parseDependencies } from './dependencies.ts';
import { durationSchema, formatDuration } from './duration.ts';
import { editFrontMatter, formatFrontMatter, parseFrontMatter } from './front-matter.ts';
import { checkValue } from './schema-faults.ts';
import {
  bullets,
  escapeText,
  joinSections,
  lineBreakOf,
  oneLine,
  type Section,
  sectionOf,
  splitSections,
  unescapeText,
} from './sections.ts';
import { type TaskDefinition, taskIdSchema } from './task.ts';

/** A task file as read: the task, and what the program keeps but does not use. */
export interface TaskFile {
  readonly definition: TaskDefinition;
  readonly inheritedBy: readonly string[];
  readonly createdAt: string | null;
}

/**
 * Reads `tasks/<id>.md` (session-format.md, Task file). Never refuses: `name` is the file's name without `.md` and stands in for an id that is
 * missing or could not be a file name. Boxes under Success Criteria are criteria, never status.
 */
export const parseTask = (text: string, name: string, iteration = 1): Parsed<TaskFile> => {
  const file = `${name}.md`;
  const { value: matter, problems: found } = parseFrontMatter(text, file);
  const problems: Fault[] = [...found];
  const field = <T>(key: string, schema: z.ZodType<T>): T | undefined => {
    const entry = matter.data[key];
    if (entry === undefined || entry === null) return undefined;
    const checked = checkValue(schema, entry, { file, line: matter.yaml?.line ?? null }, 'task-field', [key]);
    if (checked.ok) return checked.value;
    problems.push(...checked.faults);
    return undefined;
  };
  const sections = splitSections(matter.body, 2);
  const body = (title: string): string => sectionOf(sections, title)?.body ?? '';
  const edges = parseDependencies(body('Dependencies'), matter.data, file);
  problems.push(...edges.problems);
  const phase = field('phase', text_);
  const agent = field('agent', text_);
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
    run: field('run', commandsSchema) ?? [],
    verify: field('verify', commandsSchema) ?? [],
    on_steer: field('on_steer', commandsSchema) ?? null,
    type: /^\W*seq/i.test(String(matter.data['type'] ?? '')) ? 'Sequential' : 'Parallelizable',
    role: field('role', text_) ?? 'executor',
    ...(phase === undefined ? {} : { phase }),
    ...(agent === undefined ? {} : { agent }),
    ...(timeout === undefined ? {} : { timeout_ms: timeout }),
    replaced_by: field('replaced_by', z.array(idSchema)) ?? [],
    grounded_in: unescapeText(body('Grounded In')),
    notes: unescapeText(body('Notes')),
    ...(metadata === undefined ? {} : { metadata }),
  };
  const createdAt = field('created_at', text_) ?? null;
  return { value: { definition, inheritedBy: edges.value.inheritedBy, createdAt }, problems };
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

/** What a task file says beside the task itself. */
export interface TaskFileStamps {
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Tasks that are blocked by this one. */
  readonly inheritedBy: readonly string[];
}

/** A new task file; `parseTask` gives the same task again. */
export const formatTask = (task: TaskDefinition, stamps: TaskFileStamps): string => {
  const matter = { ...frontMatterOf(task), created_at: stamps.createdAt, updated_at: stamps.updatedAt };
  const parts = sectionTitles.map((title) => `## ${title}\n${sectionBody(title, task, stamps.inheritedBy)}`);
  return formatFrontMatter(matter, `# Task: ${task.id}\n\n${parts.join('\n')}`);
};

/**
 * The file with what changed in the task since it was read; everything else, also text and keys we do not know, stays byte for byte. The
 * front matter is rewritten through the YAML document model.
 */
export const editTask = (
  text: string,
  task: TaskDefinition,
  stamps: Pick<TaskFileStamps, 'updatedAt' | 'inheritedBy'>,
): string => {
  const before = parseTask(text, task.id, task.iteration).value;
  const old = frontMatterOf(before.definition);
  const now = frontMatterOf(task);
  const keys = Object.keys({ ...old, ...now }).filter((key) => !isSame(old[key], now[key]));
  const changes = Object.fromEntries(keys.map((key) => [key, now[key]]));
  const titles = sectionTitles.filter((title) => {
    const sameText = sectionBody(title, before.definition, before.inheritedBy);
    return sameText !== sectionBody(title, task, stamps.inheritedBy);
  });
  if (keys.length === 0 && titles.length === 0) return text;
  const edited = editFrontMatter(text, { ...changes, updated_at: stamps.updatedAt });
  const head = edited.length - parseFrontMatter(edited, '').value.body.length;
  const lineBreak = lineBreakOf(text);
  const sections = splitSections(edited.slice(head), 2);
  const replaced: Section[] = [...sections.sections];
  for (const title of titles) {
    const body = sectionBody(title, task, stamps.inheritedBy).replaceAll('\n', lineBreak);
    const index = replaced.findIndex((section) => section.title.toLowerCase() === title.toLowerCase());
    const found = replaced[index];
    if (found) replaced[index] = { ...found, body: `${body}${lineBreak}` };
    else replaced.push({ title, heading: `${lineBreak}## ${title}${lineBreak}`, body, line: 0 });
  }
  return edited.slice(0, head) + joinSections({ ...sections, sections: replaced });
};

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const frontMatterOf = (task: TaskDefinition): Readonly<Record<string, unknown>> => ({
  id: task.id,
  iteration: task.iteration,
  type: task.type,
  role: task.role === 'executor' ? undefined : task.role,
  phase: task.phase,
  agent: task.agent,
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
