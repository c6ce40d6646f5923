import { ordersReach } from './orders-in-place.ts';

// Behind the fence one agent is tried: Gemini asks its model through the proxy of its environment.
ordersReach(({ name }) => (name === 'gemini' ? ['local', 'jail'] : ['local']));
