import { artifactKinds } from '../../../issues/documents/artifact-comment.ts';
import { taskRoles } from '../../../issues/task-list/task-phase.ts';
import { communicationRules } from '../../../issues/team/communication.ts';
import { definitionFolders, definitionName } from '../../../issues/team/worker-definition.ts';
import type { Topic } from './topic.ts';

/** The rules between the workers of a team, and where their results are. */
export const conventions: Topic = {
  name: 'conventions',
  summary: 'the rules of a team that works on issues: who takes what, and how results are linked',
  sections: () => [
    {
      kind: 'text',
      text: "`ralph-tui run --issue ID --mode team` gives the tasks of an issue to named workers. Each of a worker's tasks runs in a new session of its agent.",
    },
    {
      kind: 'list',
      items: [
        'All tasks are listed before any worker starts.',
        'A worker has one task at a time: its own first, then the first free task for its role whose blockers are done.',
        'The program assigns the tasks, and workers of other programs claim theirs. No message tells a worker that its task is completed.',
        'A failed task stays with its worker for the next attempt. If a task has to wait for other tasks again, it is released.',
        'A worker without a task is idle and costs nothing. It starts when a task for its role is free, and leaves when the list is done.',
        'A result has the keys that the task asks for. Without them, the task is not completed.',
        'Only a person can approve a plan whose review is set to `human`, or take an issue out of Human Needed.',
      ],
    },
    { kind: 'table', rows: [['rule', 'says'], ...Object.entries(communicationRules)] },
    { kind: 'table', rows: [['role', 'tasks', 'definition'], ...roleRows()] },
    {
      kind: 'text',
      text: `A repository can keep its own definition in \`${definitionFolders.join('` or `')}\` under the same name. It takes effect once you have accepted its text. Requests for tools that the definition does not list are refused. \`flow.agents\` assigns agents to roles. Workers of other programs join with \`ralph-tui mcp --as ROLE\` (\`ralph-tui help outside\`).`,
    },
    {
      kind: 'text',
      text: 'A document is linked in a comment on the issue: its header, its path or address on the next line, then up to three lines of summary. Only comments posted by this program or written by a member of the project count, and of these only the last one.',
    },
    { kind: 'table', rows: [['header', 'folder below `docs_root`'], ...documentRows()] },
    {
      kind: 'text',
      text: 'The file of a document is named after its date and issues: `2026-02-15-GH-0042-greet.md` for one issue, `2026-02-15-group-GH-0042-greet.md` and `2026-02-15-stream-GH-0042-greet.md` for several, `…-critique.md` for a review.',
    },
  ],
};

const tasksOf = {
  analyst: 'triage, split, research',
  builder: 'plan, implement',
  validator: 'review of plans',
  integrator: 'pull request',
} as const;

const documentRows = (): readonly (readonly string[])[] =>
  Object.values(artifactKinds).map(({ header, folder }) => [`\`## ${header}\``, folder]);

const roleRows = (): readonly (readonly string[])[] =>
  taskRoles.map((role) => [role, tasksOf[role], `\`${definitionName(role)}.md\``]);
