import type { Command } from 'commander';
import { printedCommand } from '../../../base/process/printed-command.ts';
import { safe } from '../../../base/safe.ts';
import type { Way } from '../../../pipeline/changes/changes-state.ts';
import type { SessionState } from '../../../pipeline/state.ts';
import { isComplete } from '../../../session/status.ts';
import { count } from '../../../words/local-time.ts';
import { type Cli, Exit, exitCodes, failure, type Subcommand } from '../../cli.ts';
import { attemptNumber, type SessionOptions, withSession } from '../../options.ts';

interface Options extends SessionOptions {
  readonly attempt?: number;
  readonly yes?: boolean;
}

/**
 * `ralph-tui undo TASK`: takes what a task changed off the session's branch, or out of a shared workspace, with a patch of it kept. A session that runs
 * does it itself, by a signal.
 */
export const undo: Subcommand = (program, cli) => {
  turned(program.command('undo'), cli, 'undo');
};

/** `ralph-tui redo TASK`: brings back what was undone. */
export const redo: Subcommand = (program, cli) => {
  turned(program.command('redo'), cli, 'redo');
};

const turned = (command: Command, cli: Cli, way: Way): void => {
  withSession(
    command
      .argument('<task>')
      .option('--attempt <n>', 'only this attempt', attemptNumber)
      .option('-y, --yes', 'do not ask'),
  ).action(
    cli.does(async (task: string, options: Options) => {
      const { openWritableSession, requireTask } = await import('../../session/open-session.ts');
      const { findWork, takeBack } = await import('../../session/changes/take-back.ts');
      const { isDead } = await import('../../session/host-life.ts');
      const { sealIfWhole } = await import('../../trust/sealed-journal.ts');
      const { publish } = await import('../../session/publish.ts');
      const { hasWorkOfRunners, wireChanges } = await import('../../wire-changes.ts');
      const session = openWritableSession(cli, options.session);
      requireTask(session, task);
      const place = {
        ...session,
        port: wireChanges(cli.env, session.world, { hasRunners: hasWorkOfRunners(session.state) }),
        seal: () => sealIfWhole(cli.env, session.world, session.paths),
      };
      const work = await findWork(way, place, { task, attempt: options.attempt ?? null });
      if (!work.ok) throw failure(work.fault);
      const where = work.value.files === undefined ? "the session's branch" : 'the workspace';
      if (
        !options.yes &&
        !isCutOff(session.state, way, task) &&
        !(await agrees(cli, way, { task, where }, options))
      ) {
        cli.note('Nothing was changed.');
        return exitCodes.failed;
      }
      if (!isDead(session.host) && !isComplete(session.state)) {
        const type = way === 'undo' ? 'UNDO' : 'REDO';
        const { attempt } = options;
        publish(
          cli,
          session,
          { type, target: 'ALL', task, ...(attempt === undefined ? {} : { attempt }) },
          options.json === true,
        );
        return exitCodes.done;
      }
      const done = await takeBack(way, place, work.value);
      if (!done.ok) throw failure(done.fault);
      const { files, patch, commit } = done.value;
      if (options.json) cli.printJson({ task, files, patch, commit });
      else
        cli.print(
          [
            `${way === 'undo' ? 'Undone' : 'Brought back'}: ${safe(task)}, ${count(files.length, 'file')} ${commit === null ? 'in the workspace' : `on ralph/${session.paths.session}. Your own branch is unchanged`}.`,
            ...files.map((file) => `  ${safe(file)}`),
            ...(patch === null
              ? []
              : [
                  `Saved as a patch: ${safe(patch)}`,
                  `\`${printedCommand('ralph-tui', 'redo', task, ...(cli.stdin.isTTY === true ? [] : ['--yes']), '--session', session.paths.session)}\` brings it back.`,
                ]),
          ].join('\n'),
        );
      return exitCodes.done;
    }),
  );
};

/** The person agreed before it was cut off: the command that `status` prints completes it. */
const isCutOff = ({ changes: { turning } }: SessionState, way: Way, task: string): boolean =>
  turning?.way === way && turning.task === task;

const agrees = async (
  cli: Cli,
  way: Way,
  { task, where }: { readonly task: string; readonly where: string },
  { attempt, json }: Options,
): Promise<boolean> => {
  if (json || cli.stdin.isTTY !== true)
    throw new Exit(exitCodes.waits, {
      code: 'needs-yes',
      what: `the ${way} of ${safe(task)} needs confirmation`,
      hint: 'add --yes, or run this in a terminal to confirm',
    });
  const what = attempt === undefined ? `${safe(task)}'s changes` : `attempt ${attempt} at ${safe(task)}`;
  const question = way === 'undo' ? `Remove ${what} from ${where}? [y/N] ` : `Bring ${what} back? [y/N] `;
  const answer = await cli.typed.answer(() => cli.stderr.write(question));
  return answer !== null && /^\s*y(?:es)?\s*$/i.test(answer);
};
