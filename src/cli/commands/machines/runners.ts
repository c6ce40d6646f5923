import { InvalidArgumentError, Option } from 'commander';
import { safe } from '../../../base/safe.ts';
import { type Cli, exitCodes, type Subcommand } from '../../cli.ts';
import { withJson } from '../../options.ts';
import type { PoolRunnerOptions } from '../../pool/run-pool-runner.ts';
import type { RunnerOptions } from '../../runners/serve-stdio.ts';

type Options = { readonly json?: boolean };

const howToBegin = `Runners are defined in the configuration:
  runners:
    gpu: { ssh: ALIAS, slots: 2 }              an alias from ~/.ssh/config
    jail: { sandbox: bwrap, network: model }   a sandbox on this machine
    box: { container: podman, image: IMAGE }   with Node, git and the agents
    ci: { pool: "env:RALPH_POOL_URL" }         many machines on one PostgreSQL (\`ralph-tui pool --help\`)

Then: ralph-tui runners install gpu, ralph-tui runners check gpu, ralph-tui run --on gpu`;

/** `ralph-tui runners`: the other machines that work for sessions of this one. */
export const runners: Subcommand = (program, cli) => {
  const parent = program.command('runners').addHelpText('after', `\n${howToBegin}`);
  withJson(parent.command('list', { isDefault: true }).summary('the configured runners')).action(
    cli.does((options: Options) => list(cli, options)),
  );
  withJson(parent.command('check <name>').summary('connect to a runner and report what it has')).action(
    cli.does(async (name: string, options: Options) => {
      const { checkRunner } = await import('../../runners/check-runner.ts');
      const { printFindings } = await import('../../report/print-findings.ts');
      return printFindings(cli, await checkRunner(cli, name), options);
    }),
  );
  withJson(parent.command('install <name>').summary('install ralph-tui on a runner')).action(
    cli.does(async (name: string, options: Options) => {
      const { installRunner } = await import('../../runners/install-runner.ts');
      const { directory, node } = await installRunner(cli, name);
      if (options.json) cli.printJson({ name, directory, node });
      else cli.print(`Copied to ${directory} on ${safe(name)}, which has Node ${safe(node)}.`);
      return exitCodes.done;
    }),
  );
};

const list = async (cli: Cli, { json }: Options): Promise<number> => {
  const { createWorld } = await import('../../world.ts');
  const { loadConfiguration } = await import('../../settings/load-settings.ts');
  const { findWorkspace } = await import('../../session/find-workspace.ts');
  const { formatTable } = await import('../../report/table.ts');
  const request = { workspace: findWorkspace(cli.cwd), attended: cli.hasPerson };
  const { settings } = loadConfiguration(cli, createWorld(), request);
  const rows = Object.entries(settings.runners).map(([name, entry]) => ({
    name,
    kind: 'ssh' in entry ? 'ssh' : 'pool' in entry ? 'pool' : 'sandbox' in entry ? 'sandbox' : 'container',
    target:
      'ssh' in entry
        ? entry.ssh
        : 'pool' in entry
          ? `${entry.pool}, queue: ${entry.queue}`
          : 'sandbox' in entry
            ? `${entry.sandbox}, network: ${entry.network}`
            : `${entry.container} ${entry.image}, network: ${entry.network}`,
    slots: entry.slots,
  }));
  if (json) cli.printJson(rows);
  else if (rows.length === 0) cli.print('No runners. `ralph-tui runners --help` shows how to configure one.');
  else
    cli.print(
      formatTable(
        rows.map(({ name, kind, target, slots }) => [
          safe(name),
          kind,
          safe(target),
          `${slots} slot${slots === 1 ? '' : 's'}`,
        ]),
      ),
    );
  return exitCodes.done;
};

/** `ralph-tui runner`: works for hosts. With `--stdio` a host on another machine starts it; stdout is for the protocol only. */
export const runner: Subcommand = (program, cli) => {
  const hidden = (flags: string, text: string): Option => new Option(flags, text).hideHelp();
  program
    .command('runner')
    .option('--pool <variable>', 'work for the hosts of a pool: the variable with its URL, as env:NAME')
    .option('--slots <n>', 'invocations at a time', slots, 1)
    .option('--accept <key...>', 'public keys of the hosts that may send work (default: RALPH_POOL_ACCEPT)')
    .option('--queue <name>', 'the queue of the pool', 'default')
    .option('--name <name>', 'how the pool calls it (default: the name of this machine)')
    .option('--in <directory>', 'the directory to work in')
    .addOption(hidden('--stdio', 'serve one link on stdin and stdout'))
    .addOption(hidden('--link <id>', 'keep the work of this link when the connection ends'))
    .addOption(hidden('--keep <id>', 'the id of the process that keeps that work'))
    .addOption(hidden('--with-input', 'end when the input ends'))
    .addOption(hidden('--lower-to <id>', 'the account to become before the work begins'))
    .action(
      cli.does(async ({ pool, ...options }: RunnerOptions & Partial<PoolRunnerOptions>) => {
        const { lazyTools } = await import('../../host/session-tools.ts');
        if (pool !== undefined) {
          const { runPoolRunner } = await import('../../pool/run-pool-runner.ts');
          return runPoolRunner(cli, lazyTools, { ...options, pool });
        }
        const { serveRunner } = await import('../../runners/serve-stdio.ts');
        return serveRunner(cli, lazyTools, options);
      }),
    );
};

const slots = (text: string): number => {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 64) return number;
  throw new InvalidArgumentError('It is a number from 1 to 64.');
};
