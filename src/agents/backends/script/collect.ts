import { join } from 'node:path';
import { readText } from '../../../base/replace-file.ts';
import { sessionPaths } from '../../../session/paths.ts';
import { parseReport, type Report } from '../../../session/report.ts';
import type { KnowledgeItem } from '../../answers.ts';
import { commandText } from '../../command-text.ts';
import type { Message, TaskBrief } from '../../port.ts';
import { bulletList, oneLine } from '../../roles/markdown.ts';
import { rejectsItem } from '../../roles/staging-scope.ts';
import { carriedItems } from './carry-forward.ts';
import { answered, type ScriptContext, type ScriptTurn } from './script-turn.ts';

/**
 * Collects the lessons of the run from its tasks and reports: how to repeat each task (how-to), the files it made (reference), failures and steers
 * with their fixes (explanation). Also carries the unpromoted documents of the iteration before.
 */
export const collect: ScriptTurn = async (context, ask) => {
  const { brief } = context;
  // Tasks finished in earlier iterations were collected then.
  const worked = brief.tasks.filter(({ definition }) => definition.iteration === brief.iteration);
  const done = worked.filter((task) => task.status === 'done');
  const fresh = [howTo(context, done), reference(context, done), explanation(context, worked)].filter(
    (item) => item !== null,
  );
  const carried = carriedItems(context, fresh);
  const all = [...fresh, ...carried.items];
  const kept = all.filter((item) => !isUnwanted(item, ask.messages));
  return answered({
    items: kept,
    dropped: [...carried.dropped, ...all.filter((item) => !kept.includes(item)).map(fileOf)],
  });
};

const fileOf = (item: KnowledgeItem): string => `${item.category}/${item.name}`;

const isUnwanted = (item: KnowledgeItem, messages: readonly Message[]): boolean =>
  messages.some(
    (message) => message.kind === 'STEER' && !message.unproven && rejectsItem(message.text, item),
  );

const howTo = (context: ScriptContext, done: readonly TaskBrief[]): KnowledgeItem | null => {
  const useful = done.filter(({ definition }) => definition.run.length + definition.verify.length > 0);
  if (useful.length === 0) return null;
  const body = useful.map(({ definition, attempts }) =>
    [
      `## ${oneLine(definition.title)}`,
      oneLine(definition.objective),
      definition.run.length > 0 ? fence(definition.run.map(commandText)) : '',
      definition.verify.length > 0 ? `Check it with:\n\n${fence(definition.verify.map(commandText))}` : '',
      `These commands passed ${attempts === 1 ? 'the first time' : `on attempt ${attempts}`} (${definition.id}).`,
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  );
  return item(
    context,
    'how-to',
    'commands',
    `Commands that work: ${context.brief.goal}`,
    body.join('\n\n'),
    useful,
  );
};

const reference = (context: ScriptContext, done: readonly TaskBrief[]): KnowledgeItem | null => {
  const useful = done.filter(({ definition }) => definition.files.length > 0);
  if (useful.length === 0) return null;
  const lines = useful.flatMap(({ definition }) =>
    definition.files.map((file) => `\`${file}\`: ${definition.title}. ${definition.objective}`),
  );
  return item(
    context,
    'reference',
    'files',
    `Files by task: ${context.brief.goal}`,
    bulletList(lines, ''),
    useful,
  );
};

const explanation = (context: ScriptContext, worked: readonly TaskBrief[]): KnowledgeItem | null => {
  const told = worked
    .map((task) => ({ task, lessons: lessonsOf(context, task) }))
    .filter(({ lessons }) => lessons.length > 0);
  if (told.length === 0) return null;
  const body = told.map(
    ({ task, lessons }) =>
      `## ${oneLine(task.definition.title)} (${task.definition.id})\n\n${bulletList(lessons, '')}`,
  );
  const tasks = told.map(({ task }) => task);
  return item(
    context,
    'explanation',
    'lessons',
    `Failures, steers and fixes: ${context.brief.goal}`,
    body.join('\n\n'),
    tasks,
  );
};

/** Failures, people's messages and their results, by attempt. */
const lessonsOf = (context: ScriptContext, task: TaskBrief): readonly string[] => {
  const lessons: string[] = [];
  for (let attempt = 1; attempt <= task.attempts; attempt += 1) {
    const report = reportOf(context, task, attempt);
    if (!report) continue;
    lessons.push(...report.part1.steers.map((line) => `Attempt ${attempt}: ${line}`));
    const wrong =
      report.part1.blockers.join(' ') || (report.part2?.verdict === 'Failed' ? report.part2.feedback : '');
    if (wrong !== '') lessons.push(`Attempt ${attempt} failed: ${wrong}`);
  }
  if (lessons.length > 0 && task.status === 'done') {
    const changed = reportOf(context, task, task.attempts)?.part1.changes ?? '';
    lessons.push(`Attempt ${task.attempts} passed. ${changed.replaceAll(/^- /gmu, '')}`);
  }
  return lessons;
};

const reportOf = (context: ScriptContext, task: TaskBrief, attempt: number): Report | null => {
  const { brief, disk } = context;
  const path = sessionPaths(brief.workspace, brief.session)
    .iteration(brief.iteration)
    .report(task.definition.id, attempt);
  const text = readText(disk, path);
  return text === null ? null : parseReport(text, path).value;
};

const item = (
  context: ScriptContext,
  category: KnowledgeItem['category'],
  subject: string,
  title: string,
  body: string,
  tasks: readonly TaskBrief[],
): KnowledgeItem => ({
  category,
  name: nameOf(context, category, subject),
  body: `# ${oneLine(title)}\n\n${body}\n`,
  source_iteration: context.brief.iteration,
  source_artifacts: tasks.map(({ definition, attempts }) => {
    const suffix = attempts > 1 ? `-r${attempts}` : '';
    return `reports/${definition.id}-report${suffix}.md`;
  }),
  staged_at: context.brief.at ?? '',
  carried_from_iteration: null,
  original_staged_at: null,
  carry_reason: null,
});

/**
 * Named after the goal without its secrets, which no search finds in a name: there they lost their form. With the iteration's number from the second
 * one on. Adds the session's id if another session has a document of that name.
 */
const nameOf = (
  { brief, disk, redact = (text) => text }: ScriptContext,
  category: string,
  subject: string,
): string => {
  const words =
    redact(brief.goal)
      .toLowerCase()
      .match(/[a-z0-9]+/gu) ?? [];
  const later = brief.iteration > 1 ? [`iteration-${brief.iteration}`] : [];
  const stem = [...words.slice(0, 6), subject, ...later].join('-').slice(0, 70);
  const path = join(brief.workspace, brief.settings.knowledge.docs_dir, category, `${stem}.md`);
  const taken = disk.lstat(path) !== null && !(readText(disk, path) ?? '').includes(brief.session);
  return taken ? `${stem}-${brief.session}.md` : `${stem}.md`;
};

/** A code block with a fence longer than any run of backticks inside. */
const fence = (lines: readonly string[]): string => {
  const longest = Math.max(
    2,
    ...lines.flatMap((line) => (line.match(/`+/gu) ?? []).map((run) => run.length)),
  );
  const ticks = '`'.repeat(longest + 1);
  return [`${ticks}sh`, ...lines, ticks].join('\n');
};
