import type { Subcommand } from '../cli.ts';
import { type SessionOptions, withSession } from '../options.ts';

/** `ralph-tui status`: prints the session's state, what waits, and why. */
export const status: Subcommand = (program, cli) => {
  withSession(program.command('status')).action(
    cli.does(async (options: SessionOptions) => {
      const { feedbackWaits } = await import('../session/feedback/feedback-waits.ts');
      const { openSession } = await import('../session/open-session.ts');
      const { lookIntoMailbox } = await import('../session/publish.ts');
      const { unmergedIn } = await import('../session/changes/read-unmerged.ts');
      const { unmergedReport } = await import('../report/unmerged-report.ts');
      const { statusOf } = await import('../report/status-report.ts');
      const { formatStatus } = await import('../report/status-text.ts');
      const { timeLeft } = await import('../../pipeline/scheduling/time-left.ts');
      const session = openSession(cli, options.session);
      const { world, paths, state } = session;
      const pending = lookIntoMailbox(world, paths)
        .list()
        .filter((entry) => entry.stage === 'pending');
      const unmerged = await unmergedIn(cli, session);
      const report = statusOf(session, {
        signals: pending.length,
        feedback: feedbackWaits(world, paths, state),
        unmerged: 'code' in unmerged ? unmerged : unmergedReport(session, unmerged),
        left: timeLeft(state, world.clock.now()),
      });
      if (options.json) cli.printJson(report);
      else {
        const { withIssuesNow } = await import('../issues/issues-now.ts');
        const { clock } = world;
        const ms = clock.now();
        cli.print(
          formatStatus(report, await withIssuesNow(cli, session), { ms, offset: clock.offsetMinutes(ms) }),
        );
      }
      return 0;
    }),
  );
};
