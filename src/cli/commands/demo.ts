import { Argument, Option } from 'commander';
import { permissionPresets } from '../../session/settings/permission-presets.ts';
import { type Cli, type Subcommand, usage } from '../cli.ts';
import { type Flags, flagsOf } from '../options.ts';

interface Options extends Flags {
  readonly json?: boolean;
  readonly headless?: boolean;
  readonly screenReader?: boolean;
}

/** `ralph-tui demo`: runs a real session in a scratch copy of the sample project. */
export const demo: Subcommand = (program, cli) => {
  program
    .command('demo')
    .addArgument(
      new Argument('[sample]', 'which sample (default: a plan)').choices(['loop', 'hero', 'team', 'skill']),
    )
    .option('--agent <name>', 'let this agent do the work: about 20 model turns, with your login')
    .addOption(
      new Option('--permissions <preset>', 'what the agent may do without asking').choices([
        ...permissionPresets,
      ]),
    )
    .option('--headless', 'the plain log, even on a terminal')
    .option('--screen-reader', 'plain lines for a screen reader, and typed commands instead of keys')
    .option('--json', 'one event per line')
    .action(
      cli.does(async (sample: 'loop' | 'hero' | 'team' | 'skill' | undefined, options: Options) => {
        const { createWorld } = await import('../world.ts');
        const world = createWorld();
        if (options.agent !== undefined) {
          const { refuseUnknown } = await import('../host/refuse-unknown.ts');
          refuseUnknown(cli, world, options.agent);
        }
        if (sample === 'loop') return demoLoop(cli, options);
        if (sample === 'skill') {
          refuseItsOwn(sample, options);
          const { demoSkill } = await import('../screen/demo-skill.ts');
          return demoSkill(cli, world, options);
        }
        if (sample === 'hero' || sample === 'team') {
          refuseItsOwn(sample, options);
          const [{ outputMode: modeOf }, { demoHero }] = await Promise.all([
            import('../output-mode.ts'),
            import('../launch/demo-hero.ts'),
          ]);
          return demoHero(cli, world, modeOf(cli, options), sample === 'team');
        }
        const { demoEnd, demoPermissions, prepareDemo } = await import('../session/demo-workspace.ts');
        const { createGit } = await import('../../changes/git/git.io.ts');
        const [{ outputMode }, { startNew }] = await Promise.all([
          import('../output-mode.ts'),
          import('../launch/start-new.ts'),
        ]);
        const { workspace, plan, prepared } = prepareDemo(createGit(cli.env), options.agent);
        const mode = outputMode(cli, options);
        try {
          const start = {
            workspace,
            file: `${workspace}/plan.yaml`,
            text: plan,
            source: 'demo',
            mode,
            prepared,
            flags: {
              ...(options.agent === undefined ? { permissions: demoPermissions } : {}),
              ...flagsOf(options),
            },
          } as const;
          return await startNew(cli, world, start, { yes: false, mayAsk: false });
        } finally {
          if (mode !== 'json') cli.print(demoEnd(workspace));
        }
      }),
    );
};

/** The agents of these samples are commands of their own. */
const refuseItsOwn = (sample: string, { agent, permissions }: Options): void => {
  const name = agent !== undefined ? '--agent' : permissions !== undefined ? '--permissions' : null;
  if (name !== null)
    throw usage(
      `demo ${sample} takes no ${name}`,
      'its agent is a command in the sample: leave the option out',
    );
};

/** Runs a loop over a list of five items, in a scratch copy. */
const demoLoop = async (cli: Cli, options: Options): Promise<number> => {
  const { demoEnd, prepareDemoLoop } = await import('../session/demo-workspace.ts');
  const { createWorld } = await import('../world.ts');
  const { outputMode } = await import('../output-mode.ts');
  const { startLoop } = await import('../launch/start-loop.ts');
  const { createGit } = await import('../../changes/git/git.io.ts');
  const { workspace, focus, prepared } = prepareDemoLoop(createGit(cli.env));
  await prepared();
  const mode = outputMode(cli, options);
  const flags = { agent: 'script', ...flagsOf(options) };
  const start = { workspace, focus, source: 'demo', mode, flags } as const;
  try {
    return await startLoop(cli, createWorld(), start, { yes: false, mayAsk: false });
  } finally {
    if (mode !== 'json') cli.print(demoEnd(workspace));
  }
};
