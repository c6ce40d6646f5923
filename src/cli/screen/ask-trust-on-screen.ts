import type { TrustedIntent } from '../../../components/ports/start-intent.ts';
import { formatTimestamp } from '../../base/clock.ts';
import type { StartRequest } from '../host/start-request.ts';
import { questionLines, rememberAnswer, trustQuestion } from '../trust/trust-question.ts';
import type { ScreenSessions } from './screen-sessions.ts';
import type { ShownSession } from './shown-session.ts';

/** A conversation that a person wants, and may have agreed to. */
export type TrustedSkill = Extract<TrustedIntent, { readonly type: 'skill' }>;

/**
 * True when everything that would run is trusted or was just accepted. Otherwise opens the trust question. An
 * answer about older contents of the files does not count: the question is asked again.
 */
export const askTrustOnScreen = (
  { cli, world }: ScreenSessions,
  { store }: ShownSession,
  { agreed, ...intent }: TrustedIntent,
  { workspace, subjects }: Pick<StartRequest, 'workspace' | 'subjects'>,
): boolean => {
  const question = trustQuestion(cli.env, world, workspace, subjects);
  if (question === null) return true;
  if (question.digest === agreed) {
    rememberAnswer(cli.env, world, question, formatTimestamp(world.clock));
    return true;
  }
  store.act({
    type: 'overlay-opened',
    overlay: {
      kind: 'trust',
      lines: questionLines(question, Number.POSITIVE_INFINITY).map(world.redact),
      top: 0,
      intent: { ...intent, agreed: question.digest },
    },
  });
  return false;
};
