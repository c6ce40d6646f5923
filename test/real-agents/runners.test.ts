import { ordersReach } from './orders-in-place.ts';

ordersReach(() => ['gpu']);
