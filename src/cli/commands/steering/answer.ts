import { safe } from '../../../base/safe.ts';
import { type Subcommand, usage } from '../../cli.ts';
import { type SessionOptions, withSession } from '../../options.ts';

/** `ralph-tui answer REQUEST …`: answers an agent's question, or in a terminal a permission request; the first answer wins. */
export const answer: Subcommand = (program, cli) => {
  withSession(
    program
      .command('answer')
      .argument('<request>', 'the question, as `ralph-tui status` names it')
      .argument('[message]', 'an option, or the answer in your own words')
      .option('--option <id>', 'one of the offered options; some also take a message'),
  ).action(
    cli.does(
      async (
        request: string,
        message: string | undefined,
        options: SessionOptions & { readonly option?: string },
      ) => {
        if (message === undefined && options.option === undefined)
          throw usage('no answer was given', 'give a message or --option');
        // An agent could write a signal file, or run this command.
        if (request.startsWith('permission:')) {
          const { answerPermission } = await import('./answer-permission.ts');
          return answerPermission(cli, request, { message, option: options.option }, options);
        }
        const { openWritableSession } = await import('../../session/open-session.ts');
        const { openQuestion, openQuestions } = await import('../../../pipeline/questions/open-questions.ts');
        const { checkAnswer } = await import('../../../signals/check-answer.ts');
        const { publish } = await import('../../session/publish.ts');
        const session = openWritableSession(cli, options.session);
        const settled = session.state.questions.get(request);
        if (settled && settled.answer !== null)
          throw usage(`"${safe(request)}" was already answered by ${safe(settled.answeredBy ?? 'someone')}`);
        const question = openQuestion(session.state, request);
        if (question === null) {
          const open = openQuestions(session.state);
          throw usage(
            `no question "${safe(request)}"`,
            open.length > 0 ? `open: ${open.map((each) => safe(each.request)).join(', ')}` : 'none is open',
          );
        }
        const given = {
          ...(message === undefined ? {} : { message }),
          ...(options.option === undefined ? {} : { option: options.option }),
        };
        const checked = checkAnswer(question, given);
        if (typeof checked === 'string') throw usage(safe(checked));
        const { option, words } = checked;
        const signal = {
          type: 'ANSWER',
          target: 'ALL',
          request,
          ...(option === null ? {} : { option }),
          ...(words === '' ? {} : { message: words }),
        } as const;
        publish(cli, session, signal, options.json === true);
        return 0;
      },
    ),
  );
};
