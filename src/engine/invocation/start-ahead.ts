import type { BackendHost, Brief } from '../../agents/port.ts';
import { worksAhead } from '../../pipeline/scheduling/ahead.ts';
import { roleOf } from '../../pipeline/slot.ts';
import type { Active } from './active.ts';
import type { InvocationContext } from './invocation-context.ts';

/** Starts the agents of what follows this work, once its own agent has its first prompt: until then the two would only slow each other down. */
export const startAhead = (
  { core }: InvocationContext,
  active: Active,
  brief: Brief,
  host: Pick<BackendHost, 'emit'>,
): void => {
  const { loop, options } = core;
  if (active.over || !loop.isOpen()) return;
  const { task: _, ...place } = brief;
  for (const { mode, backend: name, count } of worksAhead(loop.state(), brief.invocation)) {
    const expected = { ...place, role: roleOf[mode], mode };
    const backend = options.backends.find((each) => each.name === name);
    backend?.ahead?.({ brief: expected, count, until: active.ends.signal }, host);
  }
};
