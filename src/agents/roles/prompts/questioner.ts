import type { Brief, Message } from '../../port.ts';
import type { AskedQuestion } from '../answers.ts';
import { messageParts, prompt, sessionPart } from './prompt.ts';

/** `question` is the one to look into; null asks for the list. */
export const askPrompt = (
  brief: Brief,
  messages: readonly Message[],
  question: AskedQuestion | null,
): string =>
  prompt(
    question ? looking : (lists[brief.mode] ?? lists.research ?? ''),
    [
      sessionPart(brief),
      [
        'Tasks',
        brief.tasks.map(({ definition, status }) => `${definition.id}: ${status}, ${definition.title}`),
      ],
      ['Look into', question ? `${question.id}: ${question.question}\n${question.impact}` : ''],
      ...messageParts(messages),
    ],
    question
      ? '{"answer": "or empty when the repository does not tell", "source": "files and lines", "confidence": "high | medium | low", "critical": false}'
      : brief.mode === 'feedback-analysis'
        ? '{"issues": [{"id": "ISS-001", "text": "…", "evidence": "…", "fix": "…"}]}'
        : `{"questions": [{"category": "technical | requirements | constraints | assumptions | risks", "id": "Q-TECH-001", "question": "…", "priority": "high | medium | low",
 "impact": "…", "cycle": ${Math.max(1, brief.cycle)}}], "generated": 0}`,
  );

const looking =
  'You are the Questioner. Answer this one question from what stands in the workspace, and say where you saw it.';

const lists: Readonly<Partial<Record<Brief['mode'], string>>> = {
  brainstorm:
    'You are the Questioner. Ask what must be known before the goal can be planned: gaps, contradictions, what nobody has checked.',
  research:
    'You are the Questioner. List all questions of this iteration as they stand in its questions/ folder.',
  'feedback-analysis': "You are the Questioner. List the critical issues of this iteration's feedbacks.",
};
