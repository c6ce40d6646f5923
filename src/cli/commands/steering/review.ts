import { openQuestions } from '../../../pipeline/questions/open-questions.ts';
import type { SessionState } from '../../../pipeline/state.ts';
import { type Subcommand, usage } from '../../cli.ts';
import { type SessionOptions, withSession } from '../../options.ts';

interface Options extends SessionOptions {
  readonly accept?: boolean;
  readonly reject?: string | true;
  readonly comment?: readonly string[];
}

/** `ralph-tui review TASK --accept | --reject [TEXT]`: a person's verdict on a finished attempt (`review: person` or `both`). */
export const review: Subcommand = (program, cli) => {
  withSession(
    program
      .command('review')
      .argument('<task>')
      .option('--accept', 'the work is good')
      .option('--reject [text]', 'the next attempt gets the text as feedback')
      .option(
        '--comment <text>',
        'with --reject, repeatable: a comment on one line, such as "src/a.ts:12: too long"',
        (text: string, before: readonly string[] = []) => [...before, text],
      ),
  ).action(
    cli.does(async (task: string, options: Options) => {
      const message = messageOf(options);
      const { openWritableSession, requireTask } = await import('../../session/open-session.ts');
      const { publish } = await import('../../session/publish.ts');
      const session = openWritableSession(cli, options.session);
      requireTask(session, task);
      const signal = {
        type: 'ANSWER',
        target: 'ALL',
        request: openReview(session.state, task),
        option: options.accept ? 'accept' : 'reject',
        ...(message === null ? {} : { message }),
      } as const;
      publish(cli, session, signal, options.json === true);
      return 0;
    }),
  );
};

/** The words of a rejection, comments on lines of their own; `null` without any. */
const messageOf = ({ accept, reject, comment = [] }: Options): string | null => {
  if ((accept === true) === (reject !== undefined))
    throw usage('a review needs one verdict', 'give --accept, or --reject "why"');
  if (accept && comment.length > 0)
    throw usage('--comment needs --reject', 'an accepted task has no next attempt');
  const wrong = comment.find((text) => !/^[^:\n]+:\d+: *\S/.test(text));
  if (wrong !== undefined)
    throw usage(
      `--comment "${wrong}" is incomplete`,
      'write FILE:LINE: TEXT, such as "src/a.ts:12: too long"',
    );
  const lines = [...(typeof reject === 'string' && reject.trim() !== '' ? [reject] : []), ...comment];
  return lines.length === 0 ? null : lines.join('\n');
};

/** The open request for the task. Throws exit 2, with nothing written, when no attempt of it waits for a person. */
const openReview = (state: SessionState, task: string): string => {
  const reviews = openQuestions(state).filter(({ kind }) => kind === 'review');
  const own = reviews.find((question) => question.task === task);
  if (own !== undefined) return own.request;
  const waiting = reviews.flatMap((question) => question.task ?? []);
  throw usage(
    `no attempt of "${task}" is waiting for a person`,
    waiting.length > 0
      ? `waiting: ${waiting.join(', ')}`
      : '`review: person` or `both` in the settings makes finished tasks wait for you',
    'no-review',
  );
};
