import { Option } from 'commander';
import { type FlowPhases, flowPhases } from '../../issues/position/flow-phases.ts';
import type { Subcommand } from '../cli.ts';
import { attemptNumber, type Flags, flagsOf, withFlags } from '../options.ts';

interface Options extends Flags {
  readonly labels?: string;
  readonly max: number;
  readonly tracker?: string;
  readonly phases?: FlowPhases;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly discovery: boolean;
  readonly despiteCritical?: boolean;
}

/** `ralph-tui work`: takes up ready issues, one session each, until it is stopped. */
export const work: Subcommand = (program, cli) => {
  withFlags(
    program
      .command('work')
      .description(
        'Take up ready issues until you stop it, the most urgent first and then the oldest. Shows them and asks before it starts. Each issue gets a session of its own in the background; what you must decide waits there, and a line says so. Ctrl-C, or q and Enter, lets the running agents finish and then stops; the same command continues later.',
      )
      .option(
        '--labels <names>',
        'only issues with one of these labels (separated by commas), and issues below them',
      )
      .option('--max <number>', 'how many sessions work at the same time', attemptNumber, 3)
      .option('--tracker <name>', 'use this tracker instead of flow.tracker')
      .addOption(new Option('--phases <which>', 'instead of flow.phases').choices([...flowPhases])),
  )
    .option('--headless', 'ask nothing, even on a terminal')
    .option('--json', 'one line for each session that starts, waits or ends')
    .option('--yes', 'start without asking, and trust what would run')
    .option('--no-discovery', 'skip the scan that runs before model agents start')
    .option('--despite-critical', 'start even with critical findings')
    .action(
      cli.does(async (options: Options & { readonly headless?: boolean }) => {
        const { createWorld } = await import('../world.ts');
        const { consentOf } = await import('../trust/ask-trust.ts');
        const { workOnIssues } = await import('../launch/work-on-issues.ts');
        const { labels = '', max, tracker, phases, discovery, despiteCritical = false } = options;
        const mode = options.json === true ? 'json' : 'plain';
        const run = {
          labels: labels
            .split(',')
            .map((name) => name.trim())
            .filter((name) => name !== ''),
          max,
          mode,
          flags: flagsOf(options),
          ...(tracker === undefined ? {} : { tracker }),
          ...(phases === undefined ? {} : { phases }),
        } as const;
        return workOnIssues(cli, createWorld(), run, consentOf(cli, mode, options), {
          discovery,
          despiteCritical,
        });
      }),
    );
};
