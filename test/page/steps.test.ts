import { expect, test } from 'vitest';
import { stepsKey, stepsOf } from '../../src/page/model/steps.ts';
import { createStory, task } from '../helpers/story.ts';

const call = (refusal: { refused?: true; unanswered?: true }) => {
  const of = { invocation: 'Executor-1', task: 'docs', attempt: 1, call: 'c1' };
  const story = createStory()
    .begin()
    .tasks([task('docs')])
    .wave(1, ['docs'])
    .starts('docs')
    .add({ type: 'tool.started', ...of, title: 'npm publish', kind: 'execute', paths: [] })
    .add({ type: 'tool.ended', ...of, ok: false, duration_ms: 0, changes: [], ...refusal });
  return stepsOf(story.events).get(stepsKey('docs', 1));
};

test.each([
  [{ refused: true }, 'refused', null],
  [{ unanswered: true }, 'not run', null],
  [{}, 'failed', 0],
] as const)(
  'a call that a permission held back (%o) is %s, never failed after 0:00',
  (refusal, failed, ms) => {
    expect(call(refusal)).toMatchObject([{ text: 'npm publish', ok: false, failed, ms }]);
  },
);
