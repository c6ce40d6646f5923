import { sha256 } from '../../base/hash.io.ts';
import { type Device, deviceName, expiryOf, mostDevices } from '../../serve/access/device.ts';
import { codeDigits, newCode, type PairingCode, tryCode } from '../../serve/access/pairing.ts';
import type { Scope } from '../../serve/access/scope.ts';
import type { World } from '../world.ts';
import type { KeptFiles } from './kept-files.ts';

/** Pairs devices by a code that the terminal shows. */
export interface Desk {
  /** Opens a new code, in place of the one before. */
  readonly open: () => PairingCode;
  /** The code that counts now, or `null`. */
  readonly code: () => PairingCode | null;
  /** One try: the token of the new device, once, or why not. */
  readonly pair: (typed: string, name: string, scope: Scope) => { readonly token: string } | string;
}

export const createDesk = (world: World, kept: KeptFiles, paired: (device: Device) => void): Desk => {
  let code: PairingCode | null = null;
  const now = (): number => world.clock.monotonic();
  return {
    open: () => {
      code = newCode(world.random.hex(codeDigits), now());
      return code;
    },
    code: () => (code !== null && now() < code.until ? code : null),
    pair: (typed, name, scope) => {
      const tried = tryCode(code, typed, now());
      code = tried.kind === 'paired' ? null : tried.left;
      if (tried.kind === 'wrong') return tried.why;
      const { devices } = kept.read();
      if (devices.length >= mostDevices)
        return 'Too many devices are paired: revoke some with `ralph-tui serve devices`';
      const token = world.random.hex(64);
      const at = world.clock.now();
      const device: Device = {
        id: world.random.hex(16),
        name: deviceName(name, devices),
        scope,
        token: sha256(token),
        paired: new Date(at).toISOString(),
        expires: expiryOf(at),
      };
      kept.pair(device);
      paired(device);
      return { token };
    },
  };
};
