import { readText } from '../../base/replace-file.ts';
import { safeBlock } from '../../base/safe.ts';
import { type Subcommand, usage } from '../cli.ts';
import { type SessionOptions, withSession } from '../options.ts';

/** `ralph-tui report [TASK]`: a task's newest report, or the review of the iteration. */
export const report: Subcommand = (program, cli) => {
  withSession(
    program
      .command('report')
      .summary("print a task's report, or the session's review")
      .argument('[task]', 'whose report; without it the review of the iteration'),
  ).action(
    cli.does(async (task: string | undefined, options: SessionOptions) => {
      const { openSession, requireTask } = await import('../open-session.ts');
      const session = openSession(cli, options.session);
      const { state, paths, world } = session;
      if (task !== undefined) requireTask(session, task);
      const known = task === undefined ? undefined : state.tasks.get(task);
      const iteration = known?.iteration ?? state.iteration;
      const place = paths.iteration(iteration);
      const candidates = known
        ? Array.from({ length: Math.max(known.attempt, 1) }, (_, index) =>
            place.report(known.definition.id, known.attempt - index),
          )
        : [place.review];
      for (const file of candidates) {
        const text = readText(world.disk, file);
        if (text === null) continue;
        if (options.json) cli.printJson({ task: task ?? null, iteration, file, text });
        else cli.print(safeBlock(text).trimEnd());
        return 0;
      }
      throw usage(
        task === undefined ? 'this iteration has no review yet' : `"${task}" has no report yet`,
        'see `ralph-tui status`',
        'no-report',
      );
    }),
  );
};
