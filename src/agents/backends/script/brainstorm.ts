import { join, resolve } from 'node:path';
import { readText } from '../../../base/replace-file.ts';
import { type QuestionCategory, questionId } from '../../../session/questions.ts';
import { buildGraph, type Graph } from '../../../tasks/graph.ts';
import { parsePlan } from '../../../tasks/plan-file.ts';
import type { TaskDefinition } from '../../../tasks/task.ts';
import { isDeclared, overlappingFiles } from '../../../tasks/task-files.ts';
import type { AskedQuestion } from '../../answers.ts';
import { commandText } from '../../command-text.ts';
import { isInside, missingFiles } from './file-marks.ts';
import { planSource } from './plan.ts';
import { readQuestions } from './question-files.ts';
import { answered, type ScriptContext, type ScriptTurn } from './script-turn.ts';

/** Finds gaps in a plan: missing checks, missing files and programs, tasks in conflict. Asks the same question only once over all cycles. */
export const brainstorm: ScriptTurn = async (context) => {
  const known = readQuestions(context);
  const tasks = plannedTasks(context);
  const gaps = [
    ...commonGaps(context, tasks),
    ...missingTools(context, tasks).slice(0, 20),
    ...overlaps(tasks, buildGraph(tasks)).slice(0, 20),
  ].filter((gap) => !known.some((one) => one.question === gap.question));
  const all = [...known];
  for (const gap of gaps) {
    const number = all.filter((one) => one.category === gap.category).length + 1;
    all.push({
      ...gap,
      id: questionId(gap.category, number),
      cycle: Math.max(1, context.brief.cycle),
      answer: '',
      source: '',
      confidence: '',
    });
  }
  return answered({ questions: all, generated: gaps.length });
};

interface Gap extends Pick<AskedQuestion, 'question' | 'priority' | 'impact'> {
  readonly category: QuestionCategory;
}

/** Brainstorming comes before the breakdown: without tasks in the brief, this reads the plan's own file. */
const plannedTasks = ({ brief, disk }: ScriptContext): readonly TaskDefinition[] => {
  if (brief.tasks.length > 0) return brief.tasks.map((task) => task.definition);
  const file = planSource(brief.sessionDirectory);
  const plan = parsePlan(readText(disk, file) ?? '', file, brief.iteration);
  return plan.ok ? plan.value.tasks : [];
};

/** Asks one question for each kind of gap, no matter how many tasks have it: a person reads them all. */
const commonGaps = (context: ScriptContext, tasks: readonly TaskDefinition[]): readonly Gap[] => {
  const gaps: Gap[] = [];
  const idsOf = (some: readonly TaskDefinition[]): string => firstOf(some.map((task) => task.id));
  const unchecked = tasks.filter((task) => task.verify.length === 0);
  if (unchecked.length > 0) {
    gaps.push({
      category: 'risks',
      question: `What shows that ${idsOf(unchecked)} work? They have no verify command.`,
      priority: 'high',
      impact: 'Their reviews can only look for files.',
    });
  }
  const vague = tasks.filter((task) => task.criteria.length === 0);
  if (vague.length > 0) {
    gaps.push({
      category: 'requirements',
      question: `What does "done" mean for ${idsOf(vague)}? They have no success criteria.`,
      priority: 'medium',
      impact: 'No criterion can be checked.',
    });
  }
  const declared = [...new Set(tasks.flatMap((task) => task.files))];
  const missing = missingFiles(context.disk, context.brief.workspace, declared);
  if (missing.length > 0) {
    gaps.push({
      category: 'assumptions',
      question: `Is each of these created by the task that declares it? None of them exists: ${firstOf(missing.map(ticked))}.`,
      priority: 'low',
      impact: 'A review fails if a declared file is missing.',
    });
  }
  return gaps;
};

/** Commands that name a file which does not exist and which no task makes. */
const missingTools = (context: ScriptContext, tasks: readonly TaskDefinition[]): readonly Gap[] => {
  const made = { files: tasks.flatMap((task) => task.files) };
  return tasks.flatMap((task) => {
    const named = [...task.run, ...task.verify].flatMap((command) =>
      pathsIn(commandText(command)).map((path) => join(command.cwd ?? '', path)),
    );
    const missing = [...new Set(named)].filter((file) => !isDeclared(made, file) && isMissing(context, file));
    if (missing.length === 0) return [];
    return [
      {
        category: 'technical' as const,
        question: `Commands of ${task.id} name ${firstOf(missing.map(ticked))}, which no task creates and which does not exist: where does it come from?`,
        priority: 'high',
        impact: `${task.id} fails if nothing creates it.`,
      },
    ];
  });
};

const ticked = (file: string): string => `\`${file}\``;

/** At most eight names, then the number of further ones. */
const firstOf = (names: readonly string[]): string =>
  names.length <= 8 ? names.join(', ') : `${names.slice(0, 8).join(', ')} and ${names.length - 8} more`;

/** Pairs of tasks that change the same file without one waiting for the other. */
const overlaps = (tasks: readonly TaskDefinition[], graph: Graph): readonly Gap[] => {
  const gaps: Gap[] = [];
  for (const [index, first] of tasks.entries()) {
    for (const second of tasks.slice(index + 1)) {
      const both = overlappingFiles(first, second);
      if (both.length === 0 || waitsFor(graph, first.id, second.id) || waitsFor(graph, second.id, first.id))
        continue;
      gaps.push({
        category: 'constraints',
        question: `${first.id} and ${second.id} both change ${firstOf(both.map(ticked))} and neither waits for the other: which comes first?`,
        priority: 'medium',
        impact: 'They never run at the same time, but their order is left to chance.',
      });
    }
  }
  return gaps;
};

const waitsFor = (graph: Graph, task: string, blocker: string): boolean => {
  const seen = new Set<string>();
  const left = [task];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    for (const next of graph.blockersOf.get(id) ?? []) {
      if (next === blocker) return true;
      if (!seen.has(next)) left.push(next);
      seen.add(next);
    }
  }
  return false;
};

const isMissing = ({ brief, disk }: ScriptContext, path: string): boolean =>
  isInside(brief.workspace, path) && disk.lstat(resolve(brief.workspace, path)) === null;

/** Words of a command that look like a file of the repository: relative, with a directory and an extension. */
const pathsIn = (command: string): readonly string[] =>
  command.match(/(?<![\w/.$~*>-])(?:[\w.-]+\/)+[\w.-]*\w\.[A-Za-z]{1,5}(?![\w./*-])/gu) ?? [];
