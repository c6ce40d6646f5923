import { methods } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { createLiveSession, liveDone } from '../helpers/live-session.ts';

/** An agent that asks twice whether it may run a command. */
const asking = (unattended: 'wait' | 'refuse') =>
  createLiveSession(
    async ({ client, sessionId, say }) => {
      for (const text of ['make one', 'make two'])
        await client.request(methods.client.session.requestPermission, {
          sessionId,
          toolCall: {
            toolCallId: text,
            status: 'pending',
            kind: 'execute',
            title: text,
            rawInput: { command: text, cwd: '/work' },
          },
          options: [
            { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
            { optionId: 'no', name: 'No', kind: 'reject_once' },
          ],
        });
      await say(liveDone);
      return 'end_turn';
    },
    { attended: true, settings: { 'permissions.unattended': unattended } },
  );

test('without a screen a request waits, however long, and any screen that comes answers it', async () => {
  const live = asking('wait');
  const engine = live.session.begin();
  const gone = engine.shown();
  expect(await engine.start()).toBeNull();
  gone();
  await live.until(() => live.session.all('permission.asked').length === 1);
  for (let hour = 0; hour < 2; hour += 1) await live.session.clock.advanceAsync(3_600_000);
  expect(live.session.all('permission.answered')).toEqual([]);
  const [request = ''] = engine.state().permissions.keys();
  expect(engine.permit({ request, decision: 'once', by: 'kim' })).toBeNull();
});

test('with `refuse` it waits as long as one screen is left, ends with the last one, and the next is not even asked', async () => {
  const live = asking('refuse');
  const engine = live.session.begin();
  const [one, two] = [engine.shown(), engine.shown()];
  expect(await engine.start()).toBeNull();
  await live.until(() => live.session.all('permission.asked').length === 1);
  one();
  one();
  expect(live.session.all('permission.answered')).toEqual([]);
  two();
  expect(live.session.all('permission.answered')).toMatchObject([
    { decision: 'no', by: 'no screen shows the session (`permissions.unattended: refuse`)' },
  ]);
  await live.until(() =>
    live.session
      .all('finding.noted')
      .some(
        ({ text }) =>
          text === 'refused: make two (no screen shows the session (`permissions.unattended: refuse`))',
      ),
  );
  expect(live.session.all('permission.asked')).toHaveLength(1);
});

test('a device that no key has decided about when the last screen goes waits for the next one', async () => {
  const live = asking('refuse');
  const engine = live.session.begin();
  const gone = engine.shown();
  expect(await engine.start()).toBeNull();
  await live.until(() => live.session.all('permission.asked').length === 1);
  const device = { id: '0123456789abcdef', name: 'phone' };
  const waits = 'a screen of the session asks about this device';
  expect(engine.confirmDevice(device)).toBe(waits);
  const request = live.session.all('permission.asked').at(-1)?.request ?? '';
  gone();
  expect(engine.confirmDevice(device)).toBe(waits);
  engine.shown();
  expect(engine.permit({ request, decision: 'once', by: 'kim' })).toBeNull();
  expect(engine.confirmDevice(device)).toBeNull();
});
