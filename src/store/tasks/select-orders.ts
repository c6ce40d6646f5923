import type { Message } from '../../agents/port.ts';
import { ordersInForce } from '../../pipeline/orders.ts';
import type { ViewState } from '../view.ts';
import { selectTask } from './select-tasks.ts';

/** The orders in force for the selected task, oldest first. */
export const selectOrders = (view: ViewState): readonly Message[] => {
  const task = view.session?.tasks.get(selectTask(view) ?? '');
  return view.session === null || task === undefined ? [] : ordersInForce(view.session, task);
};
