import { safe } from '../base/safe.ts';
import { actionKind } from '../signals/action-taken.ts';
import { type Decided, type SteerDecision, steerTraces } from '../signals/steer-decision.ts';

/** What an agent did with a STEER, after its name. */
const did: Readonly<Record<Decided, string>> = {
  restart: 'started its step again',
  adjust: 'adjusted its work',
  escalate: 'sent the task back to the Planner',
  context: 'noted it',
  're-evaluated': 'checked its verdict again',
  'not followed': 'did not follow it',
  'no answer': 'did not answer it',
};

/**
 * "adjusted its work: also greet in French (nothing has been done yet that it could contradict)". Of one that was not followed the reason comes first:
 * the message is known, and a narrow row is cut at its end.
 */
export const steerWords = ({ verdict, action, evidence }: SteerDecision): string => {
  const told = withoutTrace(action);
  const [first, last] = verdict === 'not followed' ? [evidence, told] : [told, evidence];
  return safe(`${did[verdict]}${first === '' ? '' : `: ${first}`}${last === '' ? '' : ` (${last})`}`);
};

/** The action without the words for other programs: the trace at its beginning and the way of the delivery at its end. */
const withoutTrace = (action: string): string => {
  if (actionKind(action) === 'unanswered') return '';
  const trace = Object.values(steerTraces).find((each) => action.startsWith(each));
  if (trace === undefined) return action;
  return action
    .slice(trace.length)
    .replace(/^: /, '')
    .replace(/ \((?:new prompt|tool result|not sent)\)$/, '');
};
