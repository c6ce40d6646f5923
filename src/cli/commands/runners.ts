import { safe } from '../../base/safe.ts';
import { type Cli, exitCodes, type Subcommand } from '../cli.ts';
import { withJson } from '../options.ts';
import type { RunnerOptions } from '../runners/serve-stdio.ts';

type Options = { readonly json?: boolean };

const howToBegin = `Runners are defined in the configuration:
  runners:
    gpu: { ssh: ALIAS, slots: 2 }              an alias from ~/.ssh/config
    jail: { sandbox: bwrap, network: model }   a sandbox on this machine
    box: { container: podman, image: IMAGE }   with Node, git and the agents

Then: ralph-tui runners install gpu, ralph-tui runners check gpu, ralph-tui run --on gpu`;

/** `ralph-tui runners`: the other machines that work for sessions of this one. */
export const runners: Subcommand = (program, cli) => {
  const parent = program.command('runners').addHelpText('after', `\n${howToBegin}`);
  withJson(parent.command('list', { isDefault: true }).summary('the configured runners')).action(
    cli.does((options: Options) => list(cli, options)),
  );
  withJson(parent.command('check <name>').summary('connect to a runner and report what it has')).action(
    cli.does(async (name: string, options: Options) => {
      const { checkRunner } = await import('../runners/check-runner.ts');
      const { printFindings } = await import('../report/print-findings.ts');
      return printFindings(cli, await checkRunner(cli, name), options);
    }),
  );
  withJson(parent.command('install <name>').summary('install ralph-tui on a runner')).action(
    cli.does(async (name: string, options: Options) => {
      const { installRunner } = await import('../runners/install-runner.ts');
      const { directory, node } = await installRunner(cli, name);
      if (options.json) cli.printJson({ name, directory, node });
      else cli.print(`Copied to ${directory} on ${safe(name)}, which has Node ${safe(node)}.`);
      return exitCodes.done;
    }),
  );
};

const list = async (cli: Cli, { json }: Options): Promise<number> => {
  const { createWorld } = await import('../world.ts');
  const { loadConfiguration } = await import('../settings/load-settings.ts');
  const { findWorkspace } = await import('../session/find-workspace.ts');
  const { formatTable } = await import('../report/table.ts');
  const request = { workspace: findWorkspace(cli.cwd), attended: cli.hasPerson };
  const { settings } = loadConfiguration(cli, createWorld(), request);
  const rows = Object.entries(settings.runners).map(([name, entry]) => ({
    name,
    kind: 'ssh' in entry ? 'ssh' : 'sandbox' in entry ? 'sandbox' : 'container',
    target:
      'ssh' in entry
        ? entry.ssh
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

/** `ralph-tui runner --stdio`: works for a host on another machine. The host starts it; stdout is for the protocol only. */
export const runner: Subcommand = (program, cli) => {
  program
    .command('runner', { hidden: true })
    .option('--stdio', 'serve one link on stdin and stdout')
    .option('--link <id>', 'keep the work of this link when the connection ends')
    .option('--keep <id>', 'the id of the process that keeps that work')
    .option('--in <directory>', 'the directory to work in, if no other process does the work')
    .option('--lower-to <id>', 'the account to become before the work begins')
    .action(
      cli.does(async (options: RunnerOptions) => {
        const { serveRunner } = await import('../runners/serve-stdio.ts');
        const { lazyTools } = await import('../host/session-tools.ts');
        return serveRunner(cli, lazyTools, options);
      }),
    );
};
