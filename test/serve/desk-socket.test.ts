import { expect, test } from 'vitest';
import { answerOf } from '../../src/cli/serve/desk-socket.ts';
import { everyEvent } from '../helpers/page-session.ts';
import { deviceWith, served } from '../helpers/served.ts';

test('a screen sees who is paired and connected, gets a new code, and revokes by the id', () => {
  const [one, two] = [deviceWith('1'.repeat(64), 'watch'), deviceWith('2'.repeat(64), 'steer')];
  const { desk, kept } = served(everyEvent(), [one, two]);
  const ports = { desk, kept, addresses: ['http://here/pair'], connected: () => [two.name] };
  const pid = 1;
  expect(answerOf(ports, { type: 'look', pid })).toEqual({
    shown: {
      addresses: ['http://here/pair'],
      code: null,
      devices: [
        { id: one.id, name: one.name, scope: 'watch', isConnected: false },
        { id: two.id, name: two.name, scope: 'steer', isConnected: true },
      ],
    },
  });
  expect(answerOf(ports, { type: 'code', pid })).toMatchObject({ shown: { code: desk.code()?.code } });
  expect(answerOf(ports, { type: 'revoke', pid, device: one.id })).toMatchObject({
    shown: { devices: [{ id: two.id }] },
  });
  expect(kept.read().devices).toEqual([two]);
  expect(answerOf(ports, { type: 'revoke', pid, device: one.id })).toEqual({
    refusal: expect.stringMatching(/^Not revoked: no device is called/),
  });
});
