import { permissionRows, permissionTitle } from '../../../../components/permission/select-permission.ts';
import { printedCommand } from '../../../base/process/printed-command.ts';
import { safe } from '../../../base/safe.ts';
import { ask } from '../../../session/forms/question.ts';
import { type Cli, usage } from '../../cli.ts';
import type { SessionOptions } from '../../options.ts';

interface Given {
  readonly message: string | undefined;
  readonly option: string | undefined;
}

type Decision = 'once' | 'session' | 'no';

/** Columns of the question. */
const columns = 100;

/**
 * Answers an agent's permission request from this terminal: the whole question is shown, and counts only when the person confirms it there. An agent could run this
 * command, so without a terminal, and below a run, it is refused.
 */
export const answerPermission = async (
  cli: Cli,
  request: string,
  given: Given,
  options: SessionOptions,
): Promise<number> => {
  const { isStartedByAgent } = await import('../../started-by-agent.ts');
  if (!cli.hasPerson || options.json === true || isStartedByAgent(cli.env))
    throw usage(
      'permission requests can be answered only by a person: with keys on a screen of the session, or by this command, which asks you first in your terminal',
      'press `u` on the screen; `ralph-tui attach` opens one',
    );
  const { openWritableSession } = await import('../../session/open-session.ts');
  const session = openWritableSession(cli, options.session);
  const { state } = session;
  const open = state.permissions.get(request);
  if (open === undefined || session.host?.alive !== true) {
    const others = session.host?.alive === true ? [...state.permissions.keys()] : [];
    throw usage(
      `the permission request "${safe(request)}" is not open`,
      others.length > 0 ? `open: ${others.map(safe).join(', ')}` : 'none is open',
    );
  }
  const { decision, why } = decisionOf(given, request, open.once !== null);
  const { askInLines } = await import('../../ask-in-lines.ts');
  const about = permissionRows(open, state.workspace, columns).map(
    ({ label, text }) => `${label.padEnd(9)}${text}`,
  );
  const sure = await askInLines(
    cli,
    cli.print,
    ask('sure', 'approve', `${permissionTitle(open)}: ${words[decision]}?`, { about: [...about, ''] }),
  );
  if (sure !== 'yes') {
    cli.note('Nothing was answered.');
    return 2;
  }
  const { answerOverSocket } = await import('../../session/answers/answer-over-socket.ts');
  const refusal = await answerOverSocket(cli.env, session, {
    request,
    decision,
    ...(why === undefined ? {} : { why }),
  });
  if (refusal !== null) throw usage(`not answered: ${safe(refusal)}`);
  cli.print(`${request}: ${done[decision]}`);
  return 0;
};

const words = { once: 'allow once', session: 'allow for this session', no: 'refuse' } as const;
const done = { once: 'allowed once', session: 'allowed for this session', no: 'refused' } as const;

/** The choice and, of a refusal, its reason. */
const decisionOf = (
  { message, option }: Given,
  request: string,
  onlyOnce: boolean,
): { readonly decision: Decision; readonly why?: string } => {
  const named = (option ?? message ?? '').trim().toLowerCase();
  const decision = named === 'once' || named === 'no' || (named === 'session' && !onlyOnce) ? named : null;
  const why = option === undefined ? undefined : message?.trim();
  if (decision === null)
    throw usage(
      `"${safe(named)}" is no answer to a permission request`,
      `write once${onlyOnce ? '' : ', session'} or no: \`${printedCommand('ralph-tui', 'answer', request, 'once')}\``,
    );
  if (why !== undefined && why !== '' && decision !== 'no')
    throw usage('only a refusal takes a reason', '--option no "the reason"');
  return { decision, ...(why === undefined || why === '' ? {} : { why }) };
};
