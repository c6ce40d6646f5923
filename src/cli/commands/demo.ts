import type { Subcommand } from '../cli.ts';

interface Options {
  readonly json?: boolean;
  readonly headless?: boolean;
  readonly screenReader?: boolean;
}

/** `ralph-tui demo`: a real session of the scripted agent in a scratch copy of the sample project. */
export const demo: Subcommand = (program, cli) => {
  program
    .command('demo')
    .summary('run the sample session: no model, no key, no network')
    .option('--headless', 'the plain log, also on a terminal')
    .option('--screen-reader', 'lines to listen to, and words to type, instead of the screen')
    .option('--json', 'one event a line')
    .action(
      cli.does(async (options: Options) => {
        const { prepareDemo } = await import('../demo-workspace.ts');
        const { createWorld } = await import('../world.ts');
        const { outputMode } = await import('../hosting.ts');
        const { startPlan } = await import('../start-plan.ts');
        const { workspace, plan } = prepareDemo();
        const mode = outputMode(cli, options);
        try {
          const start = {
            workspace,
            file: `${workspace}/plan.yaml`,
            text: plan,
            source: 'demo',
            mode,
          } as const;
          return await startPlan(cli, createWorld(), start, { yes: false, mayAsk: false });
        } finally {
          if (mode !== 'json') cli.print(`The sample project is in ${workspace}`);
        }
      }),
    );
};
