import type { CreateGuard } from './guard.ts';

/** A loop works one turn at a time within its limits, starts nothing once it drains, and never completes with a box open. */
export const guardLoop: CreateGuard = ({ say }) => ({
  see: (event, state) => {
    const { loop } = state;
    if (loop === null) return;
    const at = `event ${event.seq}`;
    switch (event.type) {
      case 'invocation.started': {
        const others = [...state.invocations.values()].filter(({ id }) => id !== event.invocation);
        if (others.length > 0) say(`${at}: ${event.invocation} started beside ${others[0]?.id}`);
        if (state.state !== 'RUNNING') say(`${at}: ${event.invocation} started in ${state.state}`);
        if (state.drain) say(`${at}: ${event.invocation} started after a DRAIN`);
        break;
      }
      case 'tasks.defined': {
        const most = state.settings.loop.max_turns;
        const turns = state.tasks.size - loop.used.turns;
        if (most !== null && turns > most) say(`${at}: turn ${turns} of ${most} was begun`);
        break;
      }
      case 'turn.decided': {
        for (const { definition, status } of state.tasks.values())
          if (status === 'open' || status === 'running')
            say(`${at}: turn ${event.turn} was decided while ${definition.id} is ${status}`);
        const focus = loop.looks.at(-1)?.focus;
        if (event.stop === 'completion' && focus && focus.open > 0)
          say(`${at}: complete with ${focus.open} open`);
        if (event.stop === 'completion' && loop.focus !== null && !focus)
          say(`${at}: complete without its focus file`);
        const task = state.tasks.get(`turn-${event.turn}`);
        const isVerified =
          task?.status === 'done' &&
          (task.definition.verify.length > 0 || state.settings.loop.verify.length === 0);
        if (event.stop === 'completion' && !isVerified)
          say(`${at}: complete, and turn ${event.turn} is not verified`);
        break;
      }
      case 'state.entered':
        if (event.state === 'STOPPED' && event.previous === 'RUNNING' && !state.abort)
          say(`${at}: STOPPED without DRAINING`);
        break;
      default:
    }
  },
});
