import { safe } from '../../base/safe.ts';
import { exitCodes, type Subcommand } from '../cli.ts';
import { withJson } from '../options.ts';

/** `ralph-tui doctor`: reports what is installed and usable, what is wrong, and how to fix it. */
export const doctor: Subcommand = (program, cli) => {
  withJson(
    program
      .command('doctor')
      .summary('what is installed and usable, what is wrong, how to mend it')
      .option('--verify', 'also try the slow things')
      .option('--clear', 'remove worktrees and branches of sessions that are gone'),
  ).action(
    cli.does(
      async (options: { readonly json?: boolean; readonly verify?: boolean; readonly clear?: boolean }) => {
        const { examine } = await import('../report/examine.ts');
        const { formatTable } = await import('../report/table.ts');
        const { checkWorktrees } = await import('../report/check-worktrees.ts');
        const findings = [
          ...examine(cli, options.verify === true),
          ...(await checkWorktrees(cli, options.clear === true)),
        ];
        // The promised name of the field is `mend` (plan-and-config.md).
        if (options.json) cli.printJson(findings.map(({ hint, ...finding }) => ({ ...finding, mend: hint })));
        else
          cli.print(
            formatTable(
              findings.map((finding) => [
                finding.ok ? 'ok' : 'wrong',
                finding.check,
                safe(finding.found),
                finding.problem === null ? '' : safe(`${finding.problem}; ${finding.hint ?? ''}`),
              ]),
            ),
          );
        return findings.every((finding) => finding.ok) ? exitCodes.done : exitCodes.failed;
      },
    ),
  );
};
