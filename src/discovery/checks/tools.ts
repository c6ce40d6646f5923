import type { Plan } from '../../tasks/plan-file.ts';
import type { TaskDefinition } from '../../tasks/task.ts';

/** The programs that a discovered task starts. Ignores shell lines, which the shell resolves. */
export const toolsOf = ({ run }: Pick<TaskDefinition, 'run'>): readonly string[] => [
  ...new Set(run.flatMap(({ cmd }) => (typeof cmd === 'string' ? [] : cmd.slice(0, 1)))),
];

/** The missing tools of a discovered plan, each once, in the order of its tasks. */
export const missingTools = (plan: Plan, isInstalled: (tool: string) => boolean): readonly string[] =>
  [...new Set(plan.tasks.flatMap(toolsOf))].filter((tool) => !isInstalled(tool));

/** The plan without the tasks that need one of the tools. Other tasks no longer wait for the removed ones. */
export const withoutTools = (plan: Plan, missing: readonly string[]): Plan => {
  const tasks = plan.tasks.filter((task) => !toolsOf(task).some((tool) => missing.includes(tool)));
  const left = new Set(tasks.map(({ id }) => id));
  return {
    ...plan,
    tasks: tasks.map((task) => ({ ...task, blockedBy: task.blockedBy.filter((id) => left.has(id)) })),
  };
};
