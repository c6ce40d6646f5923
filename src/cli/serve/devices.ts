import { safe } from '../../base/safe.ts';
import { namedDevice } from '../../serve/access/device.ts';
import { usage } from '../cli.ts';
import type { KeptFile } from './kept-file.ts';

/** One line for each device. */
export const deviceLines = ({ read }: KeptFile, connected: readonly string[] = []): readonly string[] => {
  const { devices } = read();
  if (devices.length === 0) return ['No device is paired.'];
  return devices.map(
    ({ id, name, scope, paired, expires }) =>
      `${id.slice(0, 8)}  ${safe(name)}  ${scope}  paired ${paired.slice(0, 10)}, until ${expires.slice(0, 10)}${connected.includes(name) ? '  connected' : ''}`,
  );
};

/** Revokes one device; its pages go at once, since a running `serve` watches the list. */
export const revoke = (kept: KeptFile, named: string): string => {
  const device = namedDevice(kept.read().devices, named);
  if (typeof device === 'string') throw usage(device);
  kept.change((before) => ({ ...before, devices: before.devices.filter(({ id }) => id !== device.id) }));
  return `Revoked: ${safe(device.name)}.`;
};

/** Gives one device another name. */
export const rename = (kept: KeptFile, named: string, name: string): string => {
  const { devices } = kept.read();
  const device = namedDevice(devices, named);
  if (typeof device === 'string') throw usage(device);
  const next = safe(name).trim().slice(0, 30);
  if (next === '' || devices.some((other) => other.name === next))
    throw usage(next === '' ? 'the new name is empty' : `a device is already called "${next}"`);
  kept.change((before) => ({
    ...before,
    devices: before.devices.map((each) => (each.id === device.id ? { ...each, name: next } : each)),
  }));
  return `${safe(device.name)} is now called ${next}.`;
};
