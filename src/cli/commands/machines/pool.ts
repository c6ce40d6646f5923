import { InvalidArgumentError } from 'commander';
import { poolReference } from '../../../session/settings/runners.ts';
import { type Cli, exitCodes, type Subcommand } from '../../cli.ts';
import { withJson } from '../../options.ts';

type Options = { readonly json?: boolean };

const howToBegin = `A pool is a PostgreSQL that hosts and runners share:
  RALPH_POOL_URL=postgres://OWNER:PASSWORD@HOST/DATABASE ralph-tui pool init
prints one line for each host and one for each runner. \`ralph-tui pool try\` shows it on this machine.`;

/** `env:NAME`: a URL has a password, and command lines are seen by every process. */
const reference = (text: string): string => {
  if (poolReference.safeParse(text).success) return text;
  throw new InvalidArgumentError('It names the variable with the URL, such as env:RALPH_POOL_URL.');
};

/** `ralph-tui pool`: many machines on one PostgreSQL. */
export const pool: Subcommand = (program, cli) => {
  const parent = program.command('pool').addHelpText('after', `\n${howToBegin}`);
  withJson(
    parent
      .command('init')
      .summary('make the tables, roles and keys of a pool, or complete them')
      .argument('[pool]', 'the variable with the URL of the database, as its owner', reference, standard)
      .option('--queue <name>', 'the queue for its jobs', queueName, 'default')
      .option('--out <directory>', 'where the files for hosts and runners are written'),
  ).action(cli.does((name: string, options: InitOptions) => init(cli, name, options)));
  withJson(
    parent
      .command('status', { isDefault: true })
      .summary('its queue, its runners and what they work on')
      .argument('[pool]', 'the variable with the URL of the pool', reference, standard),
  ).action(
    cli.does(async (name: string, { json }: Options) => {
      const [{ createWorld }, { poolUrl }, { readPoolStatus }, { poolLines }] = await Promise.all([
        import('../../world.ts'),
        import('../../runners/pool-login.ts'),
        import('../../pool/pool-status.ts'),
        import('../../pool/pool-lines.ts'),
      ]);
      const status = await readPoolStatus(poolUrl(cli.env, createWorld(), name));
      if (json === true) cli.printJson(status);
      else for (const line of poolLines(status)) cli.print(line);
      return exitCodes.done;
    }),
  );
  parent
    .command('try')
    .summary('run the sample on a PostgreSQL of its own with two runners; nothing of it stays')
    .option('--headless', 'the plain log, even on a terminal')
    .option('--screen-reader', 'plain lines for a screen reader, and typed commands instead of keys')
    .option('--json', 'one event per line')
    .action(
      cli.does(async (options: TryOptions) => {
        const { tryPool } = await import('../../pool/try-pool.ts');
        return tryPool(cli, (env, start) => runSample({ ...cli, env }, start, options));
      }),
    );
};

const standard = 'env:RALPH_POOL_URL';

const queueName = (text: string): string => {
  if (/^[a-z][a-z0-9_-]{0,30}$/u.test(text)) return text;
  throw new InvalidArgumentError('It consists of lower-case letters, digits, - and _.');
};

interface InitOptions extends Options {
  readonly queue: string;
  readonly out?: string;
}

const init = async (cli: Cli, name: string, { queue, out, json }: InitOptions): Promise<number> => {
  const { join, resolve } = await import('node:path');
  const [{ createWorld }, { initPool }, { stateDirectory }] = await Promise.all([
    import('../../world.ts'),
    import('../../pool/init-pool.ts'),
    import('../../state-directory.ts'),
  ]);
  const directory = out === undefined ? join(stateDirectory(cli.env), 'pool') : resolve(cli.cwd, out);
  const made = await initPool(cli, createWorld(), { reference: name, queue, directory });
  if (json === true) {
    cli.printJson(made);
    return exitCodes.done;
  }
  const { poolCommands } = await import('../../pool/pool-lines.ts');
  for (const line of poolCommands(made)) cli.print(line);
  return exitCodes.done;
};

interface TryOptions extends Options {
  readonly headless?: boolean;
  readonly screenReader?: boolean;
}

/** The sample session, with `settings` beside those of its plan. */
const runSample = async (
  cli: Cli,
  { settings, workspaceMade }: SampleStart,
  options: TryOptions,
): Promise<number> => {
  const [
    { createWorld },
    { demoPermissions, prepareDemo },
    { createGit },
    { outputMode },
    { startNew },
    { stringify },
  ] = await Promise.all([
    import('../../world.ts'),
    import('../../session/demo-workspace.ts'),
    import('../../../changes/git/git.io.ts'),
    import('../../output-mode.ts'),
    import('../../launch/start-new.ts'),
    import('yaml'),
  ]);
  const { workspace, plan, prepared } = prepareDemo(createGit(cli.env));
  workspaceMade(workspace);
  await prepared();
  const text = plan.replace(
    /^settings:\n/mu,
    `settings:\n${stringify(settings).replaceAll(/^(?=.)/gmu, '  ')}`,
  );
  const mode = outputMode(cli, options);
  const start = {
    workspace,
    file: `${workspace}/plan.yaml`,
    text,
    source: 'demo',
    mode,
    flags: { permissions: demoPermissions },
  } as const;
  return startNew(cli, createWorld(), start, { yes: false, mayAsk: false });
};

interface SampleStart {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly workspaceMade: (workspace: string) => void;
}
