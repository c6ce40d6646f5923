import { safe } from '../../base/safe.ts';
import { namedDevice } from '../../serve/access/device.ts';
import { usage } from '../cli.ts';
import type { KeptFiles } from './kept-files.ts';

/** One line for each device. */
export const deviceLines = ({ read }: KeptFiles, connected: readonly string[] = []): readonly string[] => {
  const { devices } = read();
  if (devices.length === 0) return ['No device is paired.'];
  return devices.map(
    ({ id, name, scope, paired, expires }) =>
      `${id.slice(0, 8)}  ${safe(name)}  ${scope}  paired ${paired.slice(0, 10)}, until ${expires.slice(0, 10)}${connected.includes(name) ? '  connected' : ''}`,
  );
};

/** Revokes one device; its pages go at once, since a running `serve` watches the list. */
export const revoke = (kept: KeptFiles, named: string): string => {
  const device = namedDevice(kept.read().devices, named);
  if (typeof device === 'string') throw usage(device);
  kept.revoke(device.id);
  return `Revoked: ${safe(device.name)}.`;
};

/** Gives one device another name. */
export const rename = (kept: KeptFiles, named: string, name: string): string => {
  const { devices } = kept.read();
  const device = namedDevice(devices, named);
  if (typeof device === 'string') throw usage(device);
  const next = safe(name).trim().slice(0, 30);
  if (next === '' || devices.some((other) => other.name === next))
    throw usage(next === '' ? 'the new name is empty' : `a device is already called "${next}"`);
  kept.rename(device.id, next);
  return `${safe(device.name)} is now called ${next}.`;
};
