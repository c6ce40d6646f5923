import { formatFrontMatter } from '../../tasks/front-matter.ts';
import { buildGraph } from '../../tasks/graph.ts';
import type { Command, TaskDefinition } from '../../tasks/task.ts';
import { commandRows } from '../command-text.ts';
import type { Brief, Message } from '../port.ts';
import { bulletList, count, oneLine, table } from './markdown.ts';
import type { Notes } from './passing.ts';

/** `plan.md`: the goal, the approach and the waves. */
export const planDocument = (
  brief: Brief,
  tasks: readonly TaskDefinition[],
  approach: readonly string[],
  notes: Notes,
): string =>
  formatFrontMatter(
    { iteration: brief.iteration, session: brief.session, created_at: brief.at },
    [
      `# Plan (Iteration ${brief.iteration})`,
      `## Goal\n\n${oneLine(brief.goal)}`,
      `## Approach\n\n${bulletList(approach, 'To be worked out.')}`,
      `## Guidance\n\n${guidance(notes)}`,
      `## Waves\n\n${waves(tasks)}`,
      `## Tasks\n\n${taskTable(tasks)}`,
      ...commandList(tasks),
      '',
    ].join('\n\n'),
  );

/** UPDATE's addition to the plan of the iteration before (src/session/README.md: "Replanning History (Iteration N)"). */
export const replanningHistory = (brief: Brief, reasons: readonly string[], notes: Notes): string =>
  `## Replanning History (Iteration ${brief.iteration})\n\n${bulletList(reasons, 'No change.')}\n\n${guidance(notes)}\n`;

/** REBREAKDOWN's addition: the tasks of this iteration and the reason for each. */
export const tasksSection = (
  brief: Brief,
  tasks: readonly TaskDefinition[],
  reasons: readonly string[],
): string =>
  [
    `\n## Tasks (Iteration ${brief.iteration})`,
    bulletList(reasons, 'No task changed.'),
    waves(tasks),
    taskTable(tasks),
    ...commandList(tasks),
    '',
  ].join('\n\n');

/** The skeleton of `<SID>.instructions.md`. A person writes guardrails under its headings (src/session/README.md). */
export const instructionsText = (brief: Brief): string =>
  formatFrontMatter(
    { applyTo: `.ralph-sessions/${brief.session}/**` },
    [
      `# Instructions for session ${brief.session}`,
      oneLine(brief.goal),
      ...['Concurrency', 'Planning', 'Retries', 'Timeouts'].map((heading) => `## ${heading}`),
      '',
    ].join('\n\n'),
  );

/** The words around a pause are for the agents that it held, not for the plan. */
export const isNoted = ({ kind }: Message): boolean => kind !== 'PAUSE' && kind !== 'RESUME';

const guidance = (notes: Notes): string =>
  bulletList(
    notes.messages
      .filter(isNoted)
      .map(
        (message) =>
          `${message.kind}${message.unproven ? ', author not proven' : ''}${message.from ? ` from ${message.from}` : ''}: ${message.text}`,
      ),
    'None so far.',
  );

const waves = (tasks: readonly TaskDefinition[]): string =>
  tasks.length === 0
    ? 'None yet.'
    : buildGraph(tasks)
        .waves.map((wave, index) => `${index + 1}. ${wave.join(', ')}`)
        .join('\n');

const taskTable = (tasks: readonly TaskDefinition[]): string =>
  tasks.length === 0
    ? 'None yet.'
    : table(
        ['Task', 'Title', 'Blocked by', 'Files', 'Verified by'],
        tasks.map((task) => [
          task.id,
          task.title,
          task.blockedBy.join(', ') || '—',
          task.files.join(', ') || '—',
          task.verify.length === 0 ? '—' : count(task.verify.length, 'command'),
        ]),
      );

/** The commands of the tasks, as one part. The approval of the plan lets them run. */
const commandList = (tasks: readonly TaskDefinition[]): readonly string[] => {
  const rows = tasks.flatMap(({ id, run, on_steer, verify }) => [
    ...rowsOf(`${id} runs`, run),
    ...rowsOf(`${id} runs after a STEER`, on_steer ?? []),
    ...rowsOf(`${id} is verified by`, verify),
  ]);
  return rows.length === 0 ? [] : [bulletList(rows, '')];
};

const rowsOf = (verb: string, commands: readonly Command[]): readonly string[] =>
  commands.flatMap(commandRows).map((row) => `${verb} \`${row}\``);
