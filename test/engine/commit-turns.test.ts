import { expect, test } from 'vitest';
import type { TurnResult } from '../../src/agents/port.ts';
import { createCommitTurns } from '../../src/engine/invocation/commit-turns.ts';

const taker = () => ({ over: false, stop: null });
const made: TurnResult = { kind: 'answered', answer: 'made' };

test('commits come one after the other in the order they were asked for, also after one that failed', async () => {
  const turns = createCommitTurns();
  const told: string[] = [];
  const work = (name: string) => async (): Promise<TurnResult> => {
    told.push(`${name} begins`);
    await Promise.resolve();
    told.push(`${name} ends`);
    if (name === 'one') throw new Error('no');
    return made;
  };
  const [one, two, three] = [taker(), taker(), taker()];
  const all = [turns.take(one, work('one')), turns.take(two, work('two')), turns.take(three, work('three'))];
  expect(turns.waits(three)).toBe(true);
  expect(await Promise.allSettled(all)).toMatchObject([
    { reason: new Error('no') },
    { value: made },
    { value: made },
  ]);
  expect(told).toEqual(['one', 'two', 'three'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  expect(turns.waits(three)).toBe(false);
});

test('who was stopped while it waited commits nothing, and an agent that never ends holds nobody up once it is given up', async () => {
  const turns = createCommitTurns();
  const hung = taker();
  const begun = Promise.withResolvers<void>();
  void turns.take(hung, () => {
    begun.resolve();
    return new Promise(() => undefined);
  });
  let ran = false;
  const stopped = turns.take({ over: true, stop: 'quit' }, async () => {
    ran = true;
    return made;
  });
  const next = turns.take(taker(), async () => made);
  await begun.promise;
  turns.leave(hung);
  expect(await stopped).toEqual({ kind: 'stopped', why: 'cancel' });
  expect(ran).toBe(false);
  expect(await next).toBe(made);
});
