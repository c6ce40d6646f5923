import type { Message } from '../../src/agents/port.ts';
import { ordersInForce } from '../../src/pipeline/orders.ts';
import { selectTask } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';

/** The orders in force for the selected task, oldest first. */
export const selectOrders = (view: ViewState): readonly Message[] => {
  const task = view.session?.tasks.get(selectTask(view) ?? '');
  return view.session === null || task === undefined ? [] : ordersInForce(view.session, task);
};
