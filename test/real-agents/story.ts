import type { Lane, Part, Step } from '../helpers/model-server/script.ts';
import type { Hand } from './agents/real-agent.ts';

/** A task of the story: writes one line into one file. */
export interface StoryTask {
  readonly id: string;
  readonly file: string;
  readonly line: string;
  readonly blockedBy?: readonly string[];
}

/** Two tasks side by side and one that waits for both. */
export const threeTasks: readonly StoryTask[] = [
  { id: 'left', file: 'left.txt', line: 'left' },
  { id: 'right', file: 'right.txt', line: 'right' },
  { id: 'both', file: 'both.txt', line: 'left and right', blockedBy: ['left', 'right'] },
];

const titleOf = ({ id }: StoryTask): string => `Write the ${id} file`;
const criterionOf = ({ file, line }: StoryTask): string => `${file} says ${line}`;
const headingOf = (task: StoryTask): string => `## Task ${task.id}: ${titleOf(task)}`;
const checkOf = ({ file, line }: StoryTask): string => `grep -qx '${line}' ${file}`;

/** What each role is recognised by in its prompt: the first line of its Markdown file. */
const headings = {
  questioner: '# Questioner: what must be known first',
  planner: '# Planner: from the goal to tasks',
  executor: '# Executor: one task',
  reviewer: '# Reviewer: one attempt',
  sessionReviewer: '# Reviewer: the iteration as a whole',
  librarian: '# Librarian: what is worth keeping',
} as const;

/** One reply for each part. */
export const replies = (parts: readonly Part[]): readonly Step[] => parts.map((part) => ({ reply: [part] }));

/** How a role reports its result: as the JSON at the end of its reply. */
export const answer = (outcome: object): Part => ({ text: `\n${JSON.stringify(outcome)}` });

export const plannerLanes = (tasks: readonly StoryTask[]): readonly Lane[] => [
  { name: 'questioner', when: [headings.questioner], steps: [{ reply: [answer({ questions: [] })] }] },
  {
    name: 'planner',
    when: [headings.planner],
    steps: [
      {
        reply: [
          answer({
            approach: ['One file a task.'],
            tasks: tasks.map((task) => ({
              id: task.id,
              title: titleOf(task),
              objective: `Write ${task.file}.`,
              files: [task.file],
              criteria: [criterionOf(task)],
              verify: [{ cmd: checkOf(task), shows: [criterionOf(task)] }],
              ...(task.blockedBy ? { blockedBy: task.blockedBy } : {}),
            })),
          }),
        ],
      },
    ],
  },
];

export const doneOutcome = (task: StoryTask): object => ({
  status: 'completed',
  summary: [`Wrote ${task.file}.`],
  files_modified: [task.file],
  criteria: [{ criterion: criterionOf(task), status: 'met', evidence: checkOf(task) }],
  verification: [checkOf(task)],
});

/** What the prompt of an Executor on this task says. */
export const executorHeading = (task: StoryTask): readonly string[] => [headings.executor, headingOf(task)];

/** An Executor's work: it writes the file, looks at it in a shell, and reports. `before` comes first. */
export const executorLane = (
  task: StoryTask,
  hand: Hand,
  workspace: string,
  before: readonly Step[] = [],
  outcome: object = doneOutcome(task),
): Lane => ({
  name: `executor ${task.id}`,
  when: executorHeading(task),
  steps: [
    ...before,
    { reply: [hand.create(workspace, task.file, task.line)] },
    { reply: [hand.shell(`cat ${task.file}; touch ${task.id}.seen`)] },
    { expects: task.line, reply: [answer(outcome)] },
  ],
});

export const reviewerLane = (task: StoryTask, hand: Hand, before: readonly Step[] = []): Lane => ({
  name: `reviewer ${task.id}`,
  when: [headings.reviewer, headingOf(task)],
  steps: [
    ...before,
    { reply: [hand.look(`cat ${task.file}`)] },
    {
      expects: task.line,
      reply: [
        answer({
          verdict: 'Qualified',
          summary: ['Read the file.'],
          criteria: [{ criterion: criterionOf(task), status: 'met', evidence: `cat ${task.file}` }],
          actions: [`cat ${task.file}`],
        }),
      ],
    },
  ],
});

/** The end of a session: its review, and one document for the knowledge gate. */
export const closingLanes: readonly Lane[] = [
  {
    name: 'session reviewer',
    when: [headings.sessionReviewer],
    steps: [{ reply: [answer({ assessment: 'All files are there.', goals_achieved: true, gaps: [] })] }],
  },
  {
    name: 'librarian',
    when: [headings.librarian],
    steps: [
      {
        reply: [
          answer({
            items: [
              {
                category: 'how-to',
                name: 'write-a-file.md',
                body: '# Write a file\n\nOne line is enough.\n',
                sources: ['both.txt'],
              },
            ],
            dropped: [],
          }),
        ],
      },
    ],
  },
];
