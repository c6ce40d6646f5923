import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../../tasks/duration.ts';
import type { Subcommand } from '../cli.ts';
import { withJson } from '../options.ts';
import type { Finding } from '../report/finding.ts';

interface Options {
  readonly json?: boolean;
  readonly verify?: boolean | string;
  readonly clear?: boolean;
  readonly yes?: boolean;
  readonly timeout?: number;
  readonly runner?: string;
}

/** `ralph-tui doctor`: reports what is installed and usable, what is wrong, and how to fix it. */
export const doctor: Subcommand = (program, cli) => {
  withJson(
    program
      .command('doctor')
      .option('--verify [agent]', 'only try an agent with one real turn, which costs one call to its model')
      .option('--yes', 'with --verify: do not ask before that call')
      .option('--timeout <duration>', 'with --verify: how long its turn may take (default: 2m)', durationOf)
      .option('--runner <name>', 'only connect to a runner and report what it has')
      .option('--clear', 'remove worktrees of sessions that have ended or no longer exist'),
  ).action(
    cli.does(async (options: Options) => {
      const findings = await findingsOf(options);
      const { printFindings } = await import('../report/print-findings.ts');
      return printFindings(cli, findings, options);
    }),
  );

  const findingsOf = async (options: Options): Promise<readonly Finding[]> => {
    const { verify, yes, timeout, json, clear, runner } = options;
    if (runner !== undefined) {
      const { checkRunner } = await import('../runners/check-runner.ts');
      return checkRunner(cli, runner);
    }
    if (verify !== undefined && verify !== false) {
      const { verifyAgent } = await import('../setup/verify-agent.ts');
      const { consentOf } = await import('../trust/ask-trust.ts');
      return verifyAgent(cli, {
        agent: verify === true ? null : verify,
        timeoutMs: timeout ?? null,
        consent: consentOf(cli, json ? 'json' : 'plain', { yes: yes === true }),
      });
    }
    const { examine } = await import('../report/examine.ts');
    const { checkWorktrees } = await import('../report/check-worktrees.ts');
    return [...examine(cli), ...(await checkWorktrees(cli, clear === true))];
  };
};

const durationOf = (text: string): number => {
  const ms = parseDuration(text);
  if (ms === null || ms === 0) throw new InvalidArgumentError('expected a duration such as 30s, 500ms or 2m');
  return ms;
};
