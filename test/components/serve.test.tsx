import { expect, onTestFinished, test } from 'vitest';
import { openScreen } from '../helpers/screen.tsx';
import { twoSideBySide } from '../helpers/story.ts';

const devices = [
  { id: '0011223344556677', name: 'phone', scope: 'approve', isConnected: true },
  { id: '8899aabbccddeeff', name: 'de\u001b[31msk', scope: 'watch', isConnected: false },
];
const address = 'http://127.0.0.1:4711/0123456789abcdef0123456789abcdef/pair';

test('the palette asks for the running `serve`, whose address, code and devices are then shown, and keys revoke one', async () => {
  const screen = await openScreen({ columns: 120, rows: 36, story: twoSideBySide() });
  onTestFinished(screen.unmount);
  await screen.press(':');
  await screen.type('serve');
  await screen.press('enter');
  expect(screen.intents).toEqual([{ type: 'serve', ask: 'look' }]);
  const overlay = { kind: 'serve', addresses: [address], code: 'bafo-dalo', devices, cursor: 0 } as const;
  screen.store.act({ type: 'overlay-opened', overlay });
  await screen.settle();
  expect(screen.frame()).toMatch(/Serve: 2 paired[\s\S]*127\.0\.0\.1:4711[\s\S]*Code {2}bafo-dalo/);
  expect(screen.frame()).toMatch(/▌phone {2}approve +views a page[\s\S]*de.*sk {2}watch/);
  expect(screen.frame()).not.toContain('\u001b[31msk');
  await screen.press('down', 'x');
  expect(screen.intents.at(-1)).toEqual({ type: 'serve', ask: 'revoke', device: '8899aabbccddeeff' });
  await screen.press('c');
  expect(screen.intents.at(-1)).toEqual({ type: 'serve', ask: 'code' });
  await screen.press('escape');
  expect(screen.frame()).not.toContain('Serve: 2 paired');
});

test('without a device there is nothing to revoke', async () => {
  const screen = await openScreen({ columns: 80, rows: 24, story: twoSideBySide() });
  onTestFinished(screen.unmount);
  const overlay = { kind: 'serve', addresses: [address], code: null, devices: [], cursor: 0 } as const;
  screen.store.act({ type: 'overlay-opened', overlay });
  await screen.settle();
  expect(screen.frame()).toMatch(/Serve: no device is paired[\s\S]*No code is valid now/);
  await screen.press('x');
  expect(screen.rows().at(-1)).toContain('No device is paired');
});
