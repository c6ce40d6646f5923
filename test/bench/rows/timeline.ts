import { setTimeout as pause } from 'node:timers/promises';
import { paneKey, tabTitle } from '../../helpers/pane-key.ts';
import { below } from '../limits.ts';
import { inLiveSession } from '../live-session.ts';
import type { Row } from '../measure.ts';
import { watchLoad } from '../process-load.ts';

/** What the open Timeline takes while work runs and the agent is silent, beside the open Output in the same session. */
export const timeline = (): Promise<readonly Row[]> =>
  inLiveSession('exec sleep 3600', 12, async (terminal) => {
    await pause(3_000);
    const without = await watchLoad(terminal.pid, 2, 3);
    await terminal.pressAndHear(paneKey('timeline'));
    await terminal.waitFor(new RegExp(`${tabTitle('timeline')}\\]`));
    await pause(1_000);
    const { cpu, cpuSpread } = await watchLoad(terminal.pid, 2, 3);
    return [
      {
        name: 'work runs, agents silent, Timeline open: CPU',
        value: cpu,
        unit: '%',
        base: { name: 'Output open', value: without.cpu },
        ...below(cpu, 3, '% of a core'),
        spread: cpuSpread,
      },
    ];
  });
