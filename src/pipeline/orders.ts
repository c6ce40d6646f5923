import type { Message } from '../agents/port.ts';
import type { SessionState, TaskState } from './state.ts';

/** The orders in force for a task, oldest first: those that its agents took, and those to all agents. */
export const ordersInForce = (
  { standing }: Pick<SessionState, 'standing'>,
  { orders }: Pick<TaskState, 'orders'>,
): readonly Message[] => [
  ...standing.filter(({ kind, unproven }) => kind === 'STEER' && unproven !== true),
  ...orders,
];

/** The order in force anywhere in the session with this id, or with the only id that begins so. */
export const findOrder = (state: SessionState, named: string): Message | null => {
  const all = new Map(
    [...state.tasks.values()]
      .flatMap((task) => ordersInForce(state, task))
      .concat(ordersInForce(state, { orders: [] }))
      .map((order) => [order.id, order]),
  );
  const exact = all.get(named);
  if (exact !== undefined) return exact;
  const [only, ...more] = [...all.values()].filter(({ id }) => named.length >= 6 && id.startsWith(named));
  return only !== undefined && more.length === 0 ? only : null;
};
