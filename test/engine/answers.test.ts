import { expect, test } from 'vitest';
import { actOn } from '../../src/engine/mailbox/act.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import type { Signal } from '../../src/signals/signal.ts';
import { inConflict, waitingForReview } from '../helpers/scenes/changing.ts';
import type { Story } from '../helpers/story.ts';

const stateOf = (story: Story): SessionState => evolveAll(null, story.events);
const answer = (state: SessionState, signal: Partial<Signal>) =>
  actOn(
    { id: 'id', file: 'f.yaml', signal: { type: 'ANSWER', target: 'ALL', from: 'kim', ...signal } },
    state,
  );

test('merge at a plain conflict decides nothing: neither the search for secrets nor changed hooks are skipped', () => {
  const state = stateOf(inConflict());
  for (const content of [{ option: 'merge' }, { message: 'merge' }])
    expect(answer(state, { request: 'merge:english:2:1', ...content })).toEqual({
      kind: 'refused',
      reason:
        '"merge:english:2:1" has no option "merge": it takes session, task, edited, again or drop; a message goes with again',
    });
});

test('a typing error at a review starts no attempt, and the choice is a fact of its own', () => {
  const state = stateOf(waitingForReview());
  expect(answer(state, { request: 'review:english:2', message: 'acept' })).toMatchObject({ kind: 'refused' });
  expect(answer(state, { request: 'review:english:2', option: 'reject', message: 'too long' })).toMatchObject(
    {
      kind: 'done',
      facts: [{ type: 'question.answered', option: 'reject', answer: 'too long', by: 'kim' }],
    },
  );
});

test('a question that was answered says by whom, one that nobody asked is refused', () => {
  const state = stateOf(inConflict());
  const settled = answer(state, { request: 'review:english:2', option: 'accept' });
  expect(settled.kind === 'done' && settled.action(state)).toBe('already answered by kim');
  expect(answer(state, { request: 'review:ghost:1', option: 'accept' })).toMatchObject({ kind: 'refused' });
});
