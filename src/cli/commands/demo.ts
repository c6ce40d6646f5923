import { Argument } from 'commander';
import type { Cli, Subcommand } from '../cli.ts';

interface Options {
  readonly json?: boolean;
  readonly headless?: boolean;
  readonly screenReader?: boolean;
}

/** `ralph-tui demo`: runs a real session of the scripted agent in a scratch copy of the sample project. */
export const demo: Subcommand = (program, cli) => {
  program
    .command('demo')
    .summary('run the sample session: no model, no key, no network')
    .addArgument(new Argument('[sample]', 'which sample; without it a plan in waves').choices(['loop']))
    .option('--headless', 'the plain log, also on a terminal')
    .option('--screen-reader', 'lines to listen to, and words to type, instead of the screen')
    .option('--json', 'one event a line')
    .action(
      cli.does(async (sample: 'loop' | undefined, options: Options) => {
        if (sample === 'loop') return demoLoop(cli, options);
        const { prepareDemo } = await import('../session/demo-workspace.ts');
        const { createWorld } = await import('../world.ts');
        const { outputMode } = await import('../output-mode.ts');
        const { startNew } = await import('../launch/start-new.ts');
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
          return await startNew(cli, createWorld(), start, { yes: false, mayAsk: false });
        } finally {
          if (mode !== 'json') cli.print(`The sample project is in ${workspace}`);
        }
      }),
    );
};

/** Runs a loop of the script agent over a list of five items, in a scratch copy. */
const demoLoop = async (cli: Cli, options: Options): Promise<number> => {
  const { prepareDemoLoop } = await import('../session/demo-workspace.ts');
  const { createWorld } = await import('../world.ts');
  const { outputMode } = await import('../output-mode.ts');
  const { startLoop } = await import('../launch/start-loop.ts');
  const { workspace, focus } = prepareDemoLoop();
  const mode = outputMode(cli, options);
  const start = { workspace, focus, source: 'demo', mode, flags: { agent: 'script' } } as const;
  try {
    return await startLoop(cli, createWorld(), start, { yes: false, mayAsk: false });
  } finally {
    if (mode !== 'json') cli.print(`The sample project is in ${workspace}`);
  }
};
