import { z } from 'zod';
import type { Backend, TurnAsk, TurnResult, Worker } from '../port.ts';

/** Turns that code performs instead of an agent, because code costs no model call (src/engine/README.md, Roles). */
const codeTurns: ReadonlySet<string> = new Set([
  'initialize',
  'open-questions',
  'critical-issues',
  'carry',
  'commit',
  'promote',
]);

/** Wraps an agent so that `code`, the script backend, does its bookkeeping. */
export const withCodeTurns = (agent: Backend, code: Backend): Backend => ({
  ...agent,
  start: (brief, host) => {
    const model = agent.start(brief, host);
    const script = code.start(brief, host);
    const turn: Worker['turn'] = async (ask, boundary) => {
      if (codeTurns.has(ask.kind)) return script.turn(ask, boundary);
      const result = await model.turn(ask, boundary);
      if (ask.kind === 'review')
        return withLook(result, await script.turn({ ...ask, kind: 'look' }, boundary));
      if (ask.kind === 'update') return withPlanText(result, await script.turn(ask, boundary));
      const canVerify =
        ask.kind === 'implement' && brief.mayVerify === true && (brief.task?.verify.length ?? 0) > 0;
      return result.kind === 'no-result' && canVerify ? verified(script, ask, result, boundary) : result;
    };
    return {
      ...model,
      turn,
      stop: async (why) => {
        await Promise.all([model.stop(why), script.stop(why)]);
      },
    };
  },
});

/** A passed `verify` replaces an outcome that the agent did not give. Otherwise the agent's result stays. */
const verified = async (
  script: Worker,
  ask: TurnAsk,
  result: TurnResult,
  boundary: Parameters<Worker['turn']>[1],
): Promise<TurnResult> => {
  const looked = await script.turn({ ...ask, kind: 'verify-attempt' }, boundary);
  return looked.kind === 'no-result' ? result : looked;
};

/** UPDATE appends to the existing plan: its text comes from the file, not from an agent. */
const withPlanText = (result: TurnResult, script: TurnResult): TurnResult => {
  if (result.kind !== 'answered' || script.kind !== 'answered') return result;
  const { plan } = planSchema.parse(script.answer);
  return { kind: 'answered', answer: { ...answerSchema.parse(result.answer), plan } };
};

/** What code sees of the criteria stands beside what the agent says of them. */
const withLook = (result: TurnResult, script: TurnResult): TurnResult =>
  result.kind !== 'answered' || script.kind !== 'answered'
    ? result
    : { kind: 'answered', answer: { ...answerSchema.parse(result.answer), looked: script.answer } };

const planSchema = z.object({ plan: z.string().nullable() }).catch({ plan: null });
const answerSchema = z.record(z.string(), z.unknown()).catch({});
