import { expect, test } from 'vitest';
import type { RoleEnd } from '../../src/agents/port.ts';
import { createWatch } from '../../src/engine/guards/watch.ts';
import { briefOf } from '../helpers/role-port.ts';

const end: RoleEnd = { kind: 'failed', fault: { code: 'ended', what: 'It ended' } };

/** What a watch says that compares a list with what it was. */
const watching = () => {
  const said: string[] = [];
  const moves: string[] = [];
  let known = 0;
  const watch = createWatch({
    isFor: () => true,
    take: () => {
      known = moves.length;
    },
    look: (working) => {
      const news = moves.slice(known);
      known = moves.length;
      if (news.length > 0) said.push(`${[...working].join(', ')}: ${news.join(', ')}`);
    },
  });
  return { said, moves, watch };
};

test('a push of ours is no news of an agent that ends, or of other work of ours that begins, before it is over', async () => {
  const { said, moves, watch } = watching();
  const [agent, push] = [Promise.withResolvers<RoleEnd>(), Promise.withResolvers<void>()];
  const later = Promise.withResolvers<RoleEnd>();
  const first = watch.around(briefOf({ invocation: 'Executor-1' }), () => agent.promise);
  const second = watch.around(briefOf({ invocation: 'Executor-2' }), () => later.promise);
  const ours = watch.own(async () => {
    moves.push('ours');
    await push.promise;
  });
  agent.resolve(end);
  await first;
  await watch.own(async () => void moves.push('ours, too'));
  push.resolve();
  await ours;
  expect(said).toEqual([]);

  moves.push('theirs');
  later.resolve(end);
  await second;
  expect(said).toEqual(['Executor-2: theirs']);
});
