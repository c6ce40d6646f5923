import { expect, test } from 'vitest';
import { checkpoints, checkpointsOf } from '../../src/signals/checkpoints.ts';

test.each([...new Set(checkpoints.map(({ agent }) => agent))])(
  '%s passes its own checkpoints, and in a mode those of that mode and of every mode',
  (agent) => {
    const own = checkpoints.filter((each) => each.agent === agent);
    expect(checkpointsOf(agent)).toEqual(own);
    for (const { mode } of own)
      expect(checkpointsOf(agent, mode)).toEqual(
        own.filter((each) => each.mode === '' || each.mode === mode),
      );
    expect(checkpointsOf(agent, 'NO_SUCH_MODE')).toEqual(own.filter(({ mode }) => mode === ''));
  },
);
