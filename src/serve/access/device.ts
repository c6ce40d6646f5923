import { z } from 'zod';
import { safe } from '../../base/safe.ts';
import type { Subscription, VapidKeys } from '../push/subscription.ts';
import { scopeSchema } from './scope.ts';

/** The file that pairing a browser writes. Of its token only the hash is kept. */
export const pairedSchema = z.strictObject({
  /** Names it for this program; no secret. */
  id: z.string().regex(/^[0-9a-f]{16}$/),
  name: z.string().min(1).max(40),
  scope: scopeSchema,
  token: z.string().regex(/^[0-9a-f]{64}$/),
  /** ISO 8601. */
  paired: z.string(),
  expires: z.string(),
});

/** Another name for a device. */
export const keptNameSchema = pairedSchema.shape.name;

/** A paired browser. */
export interface Device extends Readonly<z.infer<typeof pairedSchema>> {
  /** Where it receives notices; absent: it did not ask for any. */
  readonly push?: Subscription;
}

export const keptPlaceSchema = z.strictObject({
  /** The random part of every address, 128 bits: cookies ignore ports, but not paths. */
  path: z.string().regex(/^[0-9a-f]{32}$/),
  /** Signs the token that a page sends with each change. */
  secret: z.string().regex(/^[0-9a-f]{64}$/),
});

/** The state that one workspace's `serve` keeps from run to run. */
export interface Kept extends Readonly<z.infer<typeof keptPlaceSchema>> {
  /** In the order in which they were paired. */
  readonly devices: readonly Device[];
  /** Signs notices for browsers; absent: none was asked for yet. */
  readonly vapid?: VapidKeys;
}

/** Days until a device has to be paired again. */
const lastsDays = 90;
/** Devices of one workspace. */
export const mostDevices = 50;

export const expiryOf = (now: number): string => new Date(now + lastsDays * 86_400_000).toISOString();

/** A name as it is shown and journaled; a device that gives none is called by its number. */
export const deviceName = (asked: string, devices: readonly Pick<Device, 'name'>[]): string => {
  const plain = safe(asked).replace(/\s+/g, ' ').trim().slice(0, 30) || 'device';
  const taken = new Set(devices.map(({ name }) => name));
  let name = plain;
  for (let number = 2; taken.has(name); number += 1) name = `${plain} ${number}`;
  return name;
};

/** The device of a token's hash: usable, or why not. */
export type Credential =
  | { readonly kind: 'device'; readonly device: Device }
  | { readonly kind: 'none' | 'unknown' | 'expired' };

export const credentialOf = (
  devices: readonly Device[],
  tokenHash: string | null,
  now: number,
): Credential => {
  if (tokenHash === null) return { kind: 'none' };
  const device = devices.find(({ token }) => token === tokenHash);
  if (device === undefined) return { kind: 'unknown' };
  return Date.parse(device.expires) > now ? { kind: 'device', device } : { kind: 'expired' };
};

/** The one device that this name, or the beginning of its id, means; a sentence where none or several do. */
export const namedDevice = (devices: readonly Device[], named: string): Device | string => {
  const exact = devices.filter(({ name }) => name === named);
  const found =
    exact.length > 0 ? exact : devices.filter(({ id }) => named.length >= 4 && id.startsWith(named));
  const [one] = found;
  if (one !== undefined && found.length === 1) return one;
  const names = devices.map(({ name }) => name).join(', ');
  return found.length > 1
    ? `"${safe(named)}" means ${found.length} devices`
    : `no device is called "${safe(named)}"${names === '' ? ': none is paired' : `; paired: ${names}`}`;
};
