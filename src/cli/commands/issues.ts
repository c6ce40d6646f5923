import { safe } from '../../base/safe.ts';
import { issueStateSchema } from '../../issues/state.ts';
import { type Cli, exitCodes, type Subcommand, usage, valueOrExit } from '../cli.ts';
import type { EditOptions } from '../issues/edit-issue.ts';
import type { IssueOptions } from '../issues/open-issues.ts';
import { withJson } from '../options.ts';

interface NewOptions extends IssueOptions {
  readonly body?: string;
  readonly label: readonly string[];
  readonly estimate?: string;
  readonly parent?: string;
  readonly blockedBy: readonly string[];
}

interface MoveOptions extends IssueOptions {
  readonly breakLock?: boolean;
}

const several = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** `ralph-tui issues`: lists, shows and changes the issues of the workspace's tracker. */
export const issues: Subcommand = (program, cli) => {
  const parent = program.command('issues');
  const add = (text: string, summary: string, isDefault = false) =>
    withJson(parent.command(text, { isDefault }).summary(summary)).option(
      '--tracker <name>',
      'use this tracker instead of flow.tracker',
    );
  add('list', 'every issue with its state', true).action(
    cli.does((options: IssueOptions) => list(cli, options, false)),
  );
  add('ready', 'the issues that are ready to start').action(
    cli.does((options: IssueOptions) => list(cli, options, true)),
  );
  add('show <id>', 'one issue with its comments').action(
    cli.does((id: string, options: IssueOptions) => show(cli, id, options)),
  );
  add('move <id> <state>', 'move an issue to another state')
    .option('--break-lock', 'take the lock from another session')
    .addHelpText('after', `\nStates: ${issueStateSchema.options.join(', ')}. Case and dashes do not matter.`)
    .action(cli.does((id: string, state: string, options: MoveOptions) => move(cli, id, state, options)));
  add('comment <id> <text>', 'add a comment').action(
    cli.does((id: string, text: string, options: IssueOptions) => comment(cli, id, text, options)),
  );
  add('new <title>', 'create an issue')
    .option('--body <text>', 'its text')
    .option('--label <name>', 'a label (repeatable)', several, [])
    .option('--estimate <size>', 'XS, S, M, L or XL')
    .option('--parent <id>', 'the parent issue')
    .option('--blocked-by <id>', 'an issue to finish first (repeatable)', several, [])
    .action(cli.does((title: string, options: NewOptions) => create(cli, title, options)));
  add('edit <id>', 'change an issue')
    .option('--title <text>', 'its title')
    .option('--estimate <size>', 'XS, S, M, L or XL')
    .option('--labels <names>', 'its labels, separated by commas; "" for none')
    .option('--blocked-by <ids>', 'the issues to finish first, separated by commas; "" for none')
    .action(cli.does((id: string, options: IssueOptions & EditOptions) => edit(cli, id, options)));
  add('graph', 'the dependency graph').action(cli.does((options: IssueOptions) => graph(cli, options)));
};

const opened = async (cli: Cli, options: IssueOptions) => {
  const { openIssues } = await import('../issues/open-issues.ts');
  return openIssues(cli, options);
};

const indexed = async (cli: Cli, options: IssueOptions) => {
  const { openIssues, readIssues } = await import('../issues/open-issues.ts');
  return readIssues(cli, openIssues(cli, options));
};

const list = async (cli: Cli, options: IssueOptions, onlyReady: boolean): Promise<number> => {
  const { issueCells, issueRows } = await import('../issues/issue-rows.ts');
  const { formatTable } = await import('../report/table.ts');
  const rows = issueRows(await indexed(cli, options)).filter(({ ready }) => ready || !onlyReady);
  if (options.json) cli.printJson(rows);
  else if (rows.length > 0) cli.print(formatTable(rows.map(issueCells)));
  else
    cli.print(onlyReady ? 'no issues are ready' : 'no issues yet; `ralph-tui issues new TITLE` creates one');
  return exitCodes.done;
};

const show = async (cli: Cli, id: string, options: IssueOptions): Promise<number> => {
  const { formatIssue } = await import('../issues/format-issue.ts');
  const { tracker } = await opened(cli, options);
  const issue = valueOrExit(await tracker.show(id));
  if (options.json) cli.printJson(issue);
  else cli.print(formatIssue(issue));
  return exitCodes.done;
};

const move = async (cli: Cli, id: string, name: string, options: MoveOptions): Promise<number> => {
  const { movedWords, moveIssue } = await import('../issues/move-issue.ts');
  const { createWorld } = await import('../world.ts');
  const { tracker } = await opened(cli, options);
  const moved = await moveIssue(cli, createWorld(), tracker, id, name, options.breakLock === true);
  if (options.json) cli.printJson(moved.issues[0]);
  else cli.print(movedWords(moved));
  return exitCodes.done;
};

const edit = async (cli: Cli, id: string, options: IssueOptions & EditOptions): Promise<number> => {
  const { editIssue } = await import('../issues/edit-issue.ts');
  const { tracker } = await opened(cli, options);
  const issue = await editIssue(cli, tracker, id, options);
  if (options.json) cli.printJson(issue);
  else cli.print(safe(`${issue.id}: ${issue.title}`));
  return exitCodes.done;
};

const comment = async (cli: Cli, id: string, text: string, options: IssueOptions): Promise<number> => {
  if (text.trim() === '') throw usage('a comment needs text');
  const { tracker } = await opened(cli, options);
  const made = valueOrExit(await tracker.comment(id, text));
  if (options.json) cli.printJson(made);
  else cli.print(safe(`commented on ${id}`));
  return exitCodes.done;
};

const create = async (cli: Cli, title: string, options: NewOptions): Promise<number> => {
  const { estimateNamed } = await import('../../issues/issue.ts');
  const { body, label, parent, blockedBy } = options;
  const estimate = options.estimate === undefined ? null : estimateNamed(options.estimate);
  if (options.estimate !== undefined && estimate === null)
    throw usage(`unknown estimate "${options.estimate}"`, 'use XS, S, M, L or XL');
  const { tracker } = await opened(cli, options);
  for (const id of [parent ?? [], blockedBy].flat()) valueOrExit(await tracker.show(id));
  const issue = valueOrExit(
    await tracker.create({
      title,
      labels: label,
      blockedBy,
      ...(body === undefined ? {} : { body }),
      ...(estimate === null ? {} : { estimate }),
      ...(parent === undefined ? {} : { parent }),
    }),
  );
  if (options.json) cli.printJson(issue);
  else cli.print(safe(`${issue.id}: ${issue.title}`));
  return exitCodes.done;
};

const graph = async (cli: Cli, options: IssueOptions): Promise<number> => {
  const { graphLines, issueEdges } = await import('../issues/issue-graph.ts');
  const index = await indexed(cli, options);
  if (options.json) cli.printJson(issueEdges(index));
  else for (const line of graphLines(index)) cli.print(line);
  return exitCodes.done;
};
