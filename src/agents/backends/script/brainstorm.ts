import { resolve } from 'node:path';
import { readText } from '../../../base/replace-file.ts';
import { type QuestionCategory, questionId } from '../../../session/questions.ts';
import { buildGraph, type Graph } from '../../../tasks/graph.ts';
import { parsePlan } from '../../../tasks/plan-file.ts';
import type { TaskDefinition } from '../../../tasks/task.ts';
import { commandText } from '../../command-text.ts';
import type { AskedQuestion } from '../../roles/answers.ts';
import { isInside } from './file-marks.ts';
import { planSource } from './plan.ts';
import { readQuestions } from './question-files.ts';
import { answered, type ScriptContext, type ScriptTurn } from './script-turn.ts';

/** Questions about the gaps of a plan: what nobody checks, what is not there, what gets in each other's way. Asked once, whatever the cycle. */
export const brainstorm: ScriptTurn = async (context) => {
  const known = readQuestions(context);
  const tasks = plannedTasks(context);
  const graph = buildGraph(tasks);
  const gaps = [...tasks.flatMap((task) => taskGaps(context, task, tasks)), ...overlaps(tasks, graph)].filter(
    (gap) => !known.some((one) => one.question === gap.question),
  );
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

/** Brainstorming comes before the breakdown, so the plan's own file is read first. */
const plannedTasks = ({ brief, disk }: ScriptContext): readonly TaskDefinition[] => {
  if (brief.tasks.length > 0) return brief.tasks.map((task) => task.definition);
  const file = planSource(brief.sessionDirectory);
  const plan = parsePlan(readText(disk, file) ?? '', file, brief.iteration);
  return plan.ok ? plan.value.tasks : [];
};

const taskGaps = (
  context: ScriptContext,
  task: TaskDefinition,
  tasks: readonly TaskDefinition[],
): readonly Gap[] => {
  const gaps: Gap[] = [];
  if (task.verify.length === 0) {
    gaps.push({
      category: 'risks',
      question: `How is it seen that ${task.id} works? It has no verify command.`,
      priority: 'high',
      impact: 'The review can only look for its files.',
    });
  }
  if (task.criteria.length === 0) {
    gaps.push({
      category: 'requirements',
      question: `What does "done" mean for ${task.id} (${task.title})? It has no success criteria.`,
      priority: 'medium',
      impact: 'Nobody can say what was met.',
    });
  }
  for (const file of task.files.filter((path) => isMissing(context, path))) {
    gaps.push({
      category: 'assumptions',
      question: `\`${file}\` does not exist: is ${task.id} meant to make it?`,
      priority: 'low',
      impact: `The review of ${task.id} fails while it is missing.`,
    });
  }
  const made = new Set(tasks.flatMap((other) => other.files));
  const named = [...task.run, ...task.verify].flatMap((command) => pathsIn(commandText(command)));
  for (const file of new Set(named)) {
    if (made.has(file) || !isMissing(context, file)) continue;
    gaps.push({
      category: 'technical',
      question: `A command of ${task.id} names \`${file}\`, which does not exist and which no task makes: where does it come from?`,
      priority: 'high',
      impact: `${task.id} fails when nothing makes it.`,
    });
  }
  return gaps;
};

/** Two tasks that change the same file and of which neither waits for the other. */
const overlaps = (tasks: readonly TaskDefinition[], graph: Graph): readonly Gap[] => {
  const owners = new Map<string, string[]>();
  for (const task of tasks)
    for (const file of task.files) owners.set(file, [...(owners.get(file) ?? []), task.id]);
  const gaps: Gap[] = [];
  for (const [file, ids] of owners) {
    for (const [index, first] of ids.entries()) {
      for (const second of ids.slice(index + 1)) {
        if (waitsFor(graph, first, second) || waitsFor(graph, second, first)) continue;
        gaps.push({
          category: 'constraints',
          question: `${first} and ${second} both change \`${file}\` and neither waits for the other: which comes first?`,
          priority: 'medium',
          impact: 'They never run side by side, and the order is left to chance.',
        });
      }
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
  command.match(/(?<![\w/.$~*>-])(?:[\w.-]+\/)+[\w-]+\.[A-Za-z]{1,5}\b(?![*/])/gu) ?? [];
