import { expect, test } from 'vitest';
import { sessionReviewAnswerSchema } from '../../src/agents/answers.ts';
import type { TaskBrief } from '../../src/agents/port.ts';
import { briefOf, taskOf } from '../helpers/role-port.ts';
import { scriptBackend } from '../helpers/script-backend.ts';
import { answerOf, bench } from '../helpers/worker-bench.ts';

const adviceFor = async (tasks: readonly TaskBrief[]): Promise<string> => {
  const brief = briefOf({ role: 'Reviewer', mode: 'SESSION_REVIEW', tasks });
  const answer = answerOf(await bench(scriptBackend(), brief).turn('review-session'));
  return sessionReviewAnswerSchema.parse(answer).next_action;
};
const told = (id: string, status: string, blockedBy: readonly string[] = []): TaskBrief => ({
  definition: taskOf({ id, blockedBy }),
  status,
  attempts: 1,
});

test('the review of a session advises to retry what failed, and not what only waits for that', async () => {
  expect(
    await adviceFor([told('broken', 'failed'), told('after', 'open', ['broken']), told('fine', 'done')]),
  ).toBe('give feedback or retry broken');
  const held = [told('left', 'cancelled'), told('after', 'open', ['left', 'other']), told('other', 'failed')];
  expect(await adviceFor(held)).toBe('give feedback or retry left, other');
});

test('where nothing can be opened again the review asks for feedback only', async () => {
  expect(await adviceFor([told('fine', 'done'), told('round', 'open', ['round'])])).toBe('give feedback');
});
