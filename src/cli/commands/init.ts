import { Option } from 'commander';
import { permissionPresets } from '../../session/settings/permission-presets.ts';
import { type Cli, type Subcommand, usage } from '../cli.ts';
import type { Entry } from '../integrations/entries/entry.ts';
import { withJson } from '../options.ts';
import type { InitOptions } from '../setup/run-init.ts';

interface Options extends InitOptions {
  readonly plan?: boolean;
  readonly hooks?: boolean;
  readonly commands?: boolean;
  readonly codex?: boolean;
  readonly opencode?: boolean;
  readonly remove?: boolean;
  readonly screenReader?: boolean;
}

/** `ralph-tui init`: asks for agents, permissions and checks, and writes `.ralph/config.yaml`. */
export const init: Subcommand = (program, cli) => {
  const command = program
    .command('init')
    .option('--agent <name>', 'the agent that does the work')
    .option('--role <role=agent...>', 'another agent for the planner, executor or reviewer')
    .option('--model <role=model...>', 'a model for a role, as its agent names it')
    .addOption(
      new Option('--permissions <preset>', 'what agents may do without asking').choices([
        ...permissionPresets,
      ]),
    )
    .addOption(
      new Option('--isolation <where>', 'where tasks change files').choices(['auto', 'worktree', 'shared']),
    )
    .option('--setup <command>', 'the command that prepares each new worktree')
    .option('--verify <command>', 'the command that checks the work')
    .option('--tracker <name>', 'where the issues are: native, prd, markdown, beads, gh or linear:TEAM')
    .addOption(
      new Option('--plan-review <who>', 'who reviews the plan for an issue').choices([
        'human',
        'auto',
        'skip',
      ]),
    )
    .option('--auto-merge', 'merge a pull request when its checks have passed')
    .option('--no-auto-merge', 'leave merging to you')
    .option('--yes', 'change an existing configuration without asking')
    .option('--screen-reader', 'ask line by line')
    .option('--plan', 'only write a first plan.yaml to edit')
    .option('--hooks', 'only add our hooks to .claude/settings.json')
    .option('--commands', 'only write slash commands for Claude Code, Gemini CLI and Codex')
    .option('--codex', 'only add our MCP server to the settings of Codex')
    .option('--opencode', 'only add our MCP server to the settings of opencode in this folder')
    .option('--remove', 'with --hooks, --commands, --codex or --opencode: remove that again');
  withJson(command).action(cli.does((options: Options) => write(cli, options)));
};

const write = async (cli: Cli, options: Options): Promise<number> => {
  const entry = await entryOf(options);
  if (options.remove && entry === null && !options.commands)
    throw usage(
      '--remove needs --hooks, --commands, --codex or --opencode',
      'write `ralph-tui init --hooks --remove`',
    );
  if (options.commands) return writeCommands(cli, options);
  if (entry !== null) {
    const { writeEntry } = await import('../integrations/entries/write-entry.ts');
    return writeEntry(cli, entry, options.remove === true, options.json === true);
  }
  return options.plan ? plan(cli, options) : setUp(cli, options);
};

/** The entry that goes into the settings of another program. */
const entryOf = async ({ hooks, codex, opencode }: Options): Promise<Entry | null> => {
  if (hooks) return (await import('../integrations/hook/hooks-entry.ts')).hooksEntry;
  if (codex) return (await import('../integrations/entries/codex-entry.ts')).codexEntry;
  if (opencode) return (await import('../integrations/entries/opencode-entry.ts')).opencodeEntry;
  return null;
};

const writeCommands = async (cli: Cli, options: Options): Promise<number> => {
  const { createWorld } = await import('../world.ts');
  const { issueWorkspace } = await import('../issues/issue-workspace.ts');
  const { slashCommands } = await import('../skills/slash-commands.ts');
  const how = { remove: options.remove === true, json: options.json === true };
  return slashCommands(cli, createWorld(), issueWorkspace(cli.cwd), how);
};

const plan = async (cli: Cli, { json }: Options): Promise<number> => {
  const { writeFirstPlan } = await import('../setup/write-plan.ts');
  const file = writeFirstPlan(cli);
  if (json) cli.printJson({ id: file, file, written: true });
  else cli.print(`written: ${file}; run it with \`ralph-tui run --plan plan.yaml\``);
  return 0;
};

const setUp = async (cli: Cli, options: Options): Promise<number> => {
  const { createWorld } = await import('../world.ts');
  const { findWorkspace } = await import('../session/find-workspace.ts');
  const { setupOffers, writeSetup } = await import('../setup/write-setup.ts');
  const { answersOf, initByOptions } = await import('../setup/run-init.ts');
  const { knownAgents } = await import('../agents/known-agents.ts');
  const { workspaceConfigFile } = await import('../../session/config.io.ts');
  const world = createWorld();
  const workspace = findWorkspace(cli.cwd);
  const offers = setupOffers(cli, world, workspace);
  const settings = { roles: offers.settings.roles, agents: offers.settings.agents };
  const known = knownAgents(settings).map(({ name }) => name);
  const answers = answersOf(offers, known, options);
  const exists = world.disk.lstat(workspaceConfigFile(workspace)) !== null;
  const mayAsk = cli.stdin.isTTY === true && cli.stdout.isTTY === true && !options.json && !options.yes;
  if (!mayAsk) return initByOptions(cli, world, workspace, { offers, answers, exists, options });
  if (offers.agents.length === 0)
    throw usage('no agent is installed', '`ralph-tui doctor` shows how to install one');
  const { fillIn } = await import('../launch/fill-in.ts');
  const sentence = await fillIn(
    cli,
    world,
    workspace,
    { kind: 'setup', offers },
    (filled) => writeSetup(cli, world, workspace, offers, filled),
    { inLines: options.screenReader, given: answers },
  );
  cli.print(sentence ?? 'Nothing was written.');
  return 0;
};
