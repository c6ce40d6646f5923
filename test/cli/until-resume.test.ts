import { expect, test } from 'vitest';
import { createStore } from '../../components/create-store.ts';
import type { SessionPort } from '../../src/cli/screen/screen.tsx';
import { untilResume } from '../../src/cli/screen/until-resume.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createViewer } from '../helpers/scenes/reading.ts';

test('what is sent to a session that nobody runs is said to wait, also when it is sent in place of another; what is taken back does not', async () => {
  const store = createStore({ clock: createManualClock(), evolve, connection: 'stopped' });
  const port: SessionPort = {
    viewer: createViewer([]),
    preview: async () => null,
    perform: async ({ type }) => (type === 'withdraw' ? 'withdrawn: RETRY' : 'sent: RETRY broken'),
  };
  const { perform } = untilResume(port, store);
  const signal = { type: 'RETRY', target: 'ALL', task: 'broken' } as const;
  const waits =
    'sent: RETRY broken · no process is running the session; the signal will be read after {session.resume} resumes it';
  expect(await perform({ type: 'publish', signal })).toBe(waits);
  expect(await perform({ type: 'replace', id: 'r1', signal })).toBe(waits);
  expect(await perform({ type: 'withdraw', id: 'r1' })).toBe('withdrawn: RETRY');
  store.act({ type: 'connected', connection: 'live', canLeaveRunning: true, resumable: true });
  expect(await perform({ type: 'publish', signal })).toBe('sent: RETRY broken');
});
