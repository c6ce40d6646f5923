import { expect, test } from 'vitest';
import type { Backend, Brief, Message } from '../../src/agents/port.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Ship it
tasks:
  - {id: one, title: One, verify: ['true']}
`;
const texts = (messages: readonly Message[]): readonly string[] =>
  messages.map(({ kind, text, inForce }) => `${kind}${inForce ? ' in force' : ''}: ${text}`);

/** A session whose first attempt takes the order and fails. `atWork` sees the second attempt, which may look into the mailbox again. */
const withOrder = async (
  atWork: (session: ReturnType<typeof createSimulatedSession>, order: string) => void = () => {},
) => {
  const begun: Brief[] = [];
  const heard: (readonly string[])[] = [];
  let order = '';
  const agent: Backend = {
    name: 'mine',
    label: 'an agent',
    model: { tools: false, asks: true },
    start: (brief, host) => {
      begun.push(brief);
      return {
        turn: async (_ask, boundary) => {
          if (brief.attempt === 1)
            order = session.publish({ type: 'STEER', target: 'Executor', task: 'one', message: 'Use tabs' });
          else atWork(session, order);
          const directive = await boundary();
          const messages = directive.kind === 'go' ? directive.messages : [];
          heard.push(texts(messages));
          for (const { id } of messages)
            host.emit({ type: 'message.arrived', id, way: 'prompt', detail: 'with a new prompt' });
          return { kind: 'answered', answer: { status: brief.attempt === 1 ? 'failed' : 'completed' } };
        },
        stop: async () => {},
      };
    },
  };
  const session = createSimulatedSession({
    plan,
    settings: {
      roles: { executor: 'mine' },
      permissions: 'all',
      planning: { max_cycles: 0 },
      retries: { max_attempts: 2, backoff: [0] },
    },
    instructions: () => '# Mine',
    backends: [agent],
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.settle(engine);
  return { session, engine, begun, heard };
};

test('an order to a first attempt is in force in the second', async () => {
  const { begun, heard } = await withOrder();
  expect(heard).toEqual([['STEER: Use tabs'], []]);
  const second = ['STEER in force: Use tabs', 'RETRY: failed'];
  expect(begun.map(({ messages }) => texts(messages))).toEqual([[], second]);
});

test('CANCEL with the order as its request takes it back, and the agent that has it hears of it once', async () => {
  const { heard, engine, session } = await withOrder((each, order) =>
    each.publish({ type: 'CANCEL', request: order.slice(0, 8) }),
  );
  expect(heard[1]).toEqual([expect.stringMatching(/^INFO: .*takes this order back.*"Use tabs"$/)]);
  expect(session.all('order.withdrawn')).toMatchObject([{ text: 'Use tabs' }]);
  expect(engine.state().tasks.get('one')?.orders).toEqual([]);
  expect(session.all('task.cancelled')).toEqual([]);
});

test('CANCEL of an order that is not in force is rejected with a reason', async () => {
  const { session } = await withOrder((each) => each.publish({ type: 'CANCEL', request: 'nobody' }));
  expect(session.all('signal.rejected')).toMatchObject([
    { reason: 'no order "nobody" is in force in this session' },
  ]);
});
