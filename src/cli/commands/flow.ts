import type { Command } from 'commander';
import { safe } from '../../base/safe.ts';
import { type Cli, exitCodes, type Subcommand } from '../cli.ts';
import type { FlowContext, FlowOptions } from '../issues/flow-context.ts';
import { withJson } from '../options.ts';

/** `ralph-tui flow`: where the group of an issue stands and what comes next. Changes nothing. Exit 1 when issues form a cycle. */
export const flow: Subcommand = (program, cli) => {
  const parent = program.command('flow');
  for (const { name, summary, answer } of views)
    withOptions(parent.command(name).summary(summary)).action(
      cli.does((options: FlowOptions) => print(cli, options, answer)),
    );
};

const withOptions = (command: Command): Command =>
  withJson(
    command
      .requiredOption('--issue <id>', 'an issue of the group')
      .option('--only', 'this issue alone, without its group')
      .option('--tracker <name>', 'use this tracker instead of flow.tracker'),
  );

interface Answer {
  readonly json: unknown;
  readonly lines: readonly string[];
}

type View = (context: FlowContext) => Answer | Promise<Answer>;

const position: View = ({ position }) => ({
  json: position,
  lines: [
    `${position.phase}: ${position.reason}`,
    `next: ${position.recommendation}`,
    `left: ${position.remaining_phases.join(', ') || 'nothing'}`,
    ...position.issues.map(
      ({ id, phase, state, obstacle }) =>
        `${id}  ${phase}  ${state}${obstacle === null ? '' : `  (${obstacle.reason})`}`,
    ),
    ...position.escalations.map(({ issue, reason }) => `${issue} needs a person: ${reason}`),
  ],
});

const group: View = ({ group }) => ({
  json: group,
  lines: [...group.order, ...group.cycles.map((members) => `cycle: ${members.join(', ')}`)],
});

const streams: View = ({ streams }) => ({
  json: streams,
  lines: streams.map(
    ({ issues, files }) =>
      `${issues.join(', ')}  ${files.length === 0 ? 'no known files' : files.join(', ')}`,
  ),
});

const tasks: View = async (context) => {
  const { taskWords, tasksOf } = await import('../issues/list-tasks.ts');
  const list = tasksOf(context);
  return {
    json: list,
    lines: list.length === 0 ? ['no tasks are left'] : list.map((task) => taskWords(context, task)),
  };
};

const roster: View = ({ position }) => ({
  json: position.suggested_roster,
  lines: Object.entries(position.suggested_roster).map(([role, count]) => `${role}: ${count}`),
});

const views: readonly { readonly name: string; readonly summary: string; readonly answer: View }[] = [
  {
    name: 'position',
    summary: 'the phase, the remaining work, and which issue waits for which',
    answer: position,
  },
  { name: 'group', summary: 'the issues that belong together, in order', answer: group },
  { name: 'streams', summary: 'what can be worked on in parallel', answer: streams },
  { name: 'tasks', summary: 'every remaining task', answer: tasks },
  { name: 'roster', summary: 'how many workers each role needs', answer: roster },
];

const print = async (cli: Cli, options: FlowOptions, view: View): Promise<number> => {
  const { readFlow } = await import('../issues/flow-context.ts');
  const context = await readFlow(cli, options);
  const { json, lines } = await view(context);
  if (options.json) cli.printJson(json);
  else for (const line of lines) cli.print(safe(line));
  return context.group.cycles.length === 0 ? exitCodes.done : exitCodes.failed;
};
