import { formatFault } from '../../base/fault.ts';
import { readText } from '../../base/replace-file.ts';
import { safe, safeBlock } from '../../base/safe.ts';
import type { TaskState } from '../../pipeline/state.ts';
import { isDoneByHand } from '../../tasks/by-hand.ts';
import { type Cli, type Subcommand, usage } from '../cli.ts';
import { type SessionOptions, withSession } from '../options.ts';
import type { OpenSession } from '../session/open-session.ts';

/**
 * `ralph-tui report [TASK]`: prints a task's newest report, the review of the iteration, or the turns of a loop. A note says what of the work is not
 * merged, so that a report on stdout stays a report.
 */
export const report: Subcommand = (program, cli) => {
  withSession(
    program
      .command('report')
      .argument(
        '[task]',
        'the task; without one, prints the review of the iteration, or the turns of a loop',
      ),
  ).action(
    cli.does(async (task: string | undefined, options: SessionOptions) => {
      const { openSession, requireTask } = await import('../session/open-session.ts');
      const { findReports } = await import('../../session/report-files.ts');
      const { createLenientReader } = await import('../../session/lenient-reader.ts');
      const { totals } = await import('../report/totals.ts');
      const session = openSession(cli, options.session);
      const { state, paths, world } = session;
      if (task !== undefined) requireTask(session, task);
      if (!options.json) await noteUnmerged(cli, session, task);
      if (task === undefined && state.mode === 'loop') {
        const { formatLoopReport, loopStatus, turnReports } = await import('../report/loop-report.ts');
        if (options.json) cli.printJson({ loop: loopStatus(state), turns: turnReports(state) });
        else cli.print(formatLoopReport(state));
        return 0;
      }
      const iteration = task === undefined ? state.iteration : (state.tasks.get(task)?.iteration ?? 1);
      // Older layouts keep reports at the root of the session, and some real agents wrote them beside `reports/`.
      const places = [paths.iteration(iteration).directory, paths.directory];
      const found =
        task === undefined ? [] : findReports(createLenientReader(world.disk, []), places).get(task);
      const candidates =
        task === undefined
          ? [paths.iteration(iteration).review]
          : (found ?? []).map(({ file }) => file).toReversed();
      for (const file of candidates) {
        const text = readText(world.disk, file);
        if (text === null) continue;
        const report = safeBlock(text).trimEnd();
        if (options.json) cli.printJson({ task: task ?? null, iteration, file, text });
        else cli.print(task === undefined ? `${report}\n\n${totals(state)}` : report);
        return 0;
      }
      throw usage(
        task === undefined
          ? 'this iteration has no review yet'
          : `"${safe(task)}" ${whyNone(state.tasks.get(task))}`,
        `\`ralph-tui status --session ${paths.session}\` shows its status`,
        'no-report',
      );
    }),
  );
};

const noteUnmerged = async (cli: Cli, session: OpenSession, task: string | undefined): Promise<void> => {
  const { unmergedIn } = await import('../session/changes/read-unmerged.ts');
  const { leftUnmerged, unmergedNote } = await import('../report/unmerged-report.ts');
  const unmerged = await unmergedIn(cli, session);
  if ('code' in unmerged) return cli.note(safe(formatFault(unmerged)));
  const left = leftUnmerged(session, unmerged).filter((work) => task === undefined || work.task === task);
  if (left.length > 0) cli.note(unmergedNote(session, left));
};

const whyNone = (task: TaskState | undefined): string =>
  task && isDoneByHand(task) ? 'was marked as done by hand: it has no report' : 'has no report yet';
