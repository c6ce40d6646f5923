import { questionId } from '../../session/questions.ts';
import type { CheckpointId } from '../../signals/checkpoints.ts';
import {
  type AskedQuestion,
  type IssuesAnswer,
  newQuestionsSchema,
  type ResearchAnswer,
  researchAllAnswerSchema,
} from '../answers.ts';
import type { Message, RolePort, TurnAsk } from '../port.ts';
import { type Turn, takeTurn } from './passing.ts';
import { promptFor } from './prompts/render-prompt.ts';

/** An agent's new questions, numbered after the known ones. Drops questions that were asked before. */
export const askNew = async (
  port: RolePort,
  ask: TurnAsk,
  known: readonly AskedQuestion[],
): Promise<Turn<{ readonly questions: readonly AskedQuestion[]; readonly generated: number }>> => {
  const turn = await takeTurn(port, ask, 'Questioner.brainstorm.1.5', newQuestionsSchema);
  if (turn.kind !== 'answer') return turn;
  const all = [...known];
  for (const asked of turn.answer.questions) {
    if (all.some(({ question }) => question === asked.question)) continue;
    const number = all.filter(({ category }) => category === asked.category).length + 1;
    all.push({
      ...asked,
      id: questionId(asked.category, number),
      cycle: Math.max(1, port.brief.cycle),
      answer: '',
      source: '',
      confidence: '',
    });
  }
  return { kind: 'answer', answer: { questions: all, generated: all.length - known.length } };
};

/** Performs one turn over all open questions or issues. Reports each critical finding at once. */
export const lookAtAll = async (
  port: RolePort,
  { messages, turn: kept }: { readonly messages: readonly Message[]; readonly turn?: unknown },
  questions: readonly AskedQuestion[],
  boundary: CheckpointId,
): Promise<Turn<readonly (ResearchAnswer & { readonly id: string })[]>> => {
  const kind = port.brief.mode === 'research' ? 'research' : 'analyse';
  const turn = await takeTurn(
    port,
    {
      kind,
      prompt: promptFor(port.brief, kind, { messages, questions }),
      messages,
      data: { questions, continuation: kept },
    },
    boundary,
    researchAllAnswerSchema,
  );
  if (turn.kind !== 'answer') return turn;
  for (const { id, answer, critical } of turn.answer.answers)
    if (critical) port.emit({ type: 'finding.noted', text: `${id}: ${answer}` });
  return { kind: 'answer', answer: turn.answer.answers };
};

/** Turns a critical issue of the feedback into a question. */
export const questionOf = (
  issue: IssuesAnswer['issues'][number],
  index: number,
  cycle: number,
): AskedQuestion => ({
  category: 'feedback-driven',
  id: questionId('feedback-driven', index + 1),
  question: `${issue.id}: ${issue.text}`,
  priority: 'high',
  impact: [issue.evidence, issue.fix && `Suggested: ${issue.fix}`].filter((part) => part !== '').join(' '),
  cycle,
  answer: '',
  source: '',
  confidence: '',
});
