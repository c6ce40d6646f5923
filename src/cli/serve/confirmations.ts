import { safe } from '../../base/safe.ts';
import type { Device } from '../../serve/access/device.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { Cli } from '../cli.ts';
import { sendAnswer } from '../session/answers/send-answer.ts';
import { hostOf } from '../session/open-session.ts';
import type { World } from '../world.ts';

/** What came of a form, as a sentence. */
export interface Outcome {
  readonly good: boolean;
  readonly text: string;
}

/** Devices that keys on screens have confirmed, as far as the programs that run the sessions say so. */
export interface Confirmations {
  readonly has: (device: Device, paths: SessionPaths) => boolean;
  /** Asks the program that runs the session whether its keys let the device approve, and again until a key has decided. */
  readonly ask: (device: Device, paths: SessionPaths) => Promise<Outcome>;
}

export interface ConfirmationPorts {
  readonly env: Cli['env'];
  readonly world: World;
  /** A key confirmed the device in this session. */
  readonly confirmed: (device: Device, paths: SessionPaths) => void;
}

const againMs = 1_000;
/** How often the host is asked until a key has decided. */
const mostAsked = 180;

export const createConfirmations = ({ env, world, confirmed }: ConfirmationPorts): Confirmations => {
  /** By session, host and device: another host knows nothing of them. */
  const known = new Set<string>();
  const asking = new Set<string>();
  const keyOf = ({ id }: Device, paths: SessionPaths): string =>
    `${paths.directory} ${hostOf(world, paths)?.pid ?? 0} ${id}`;
  const ask = ({ id, name }: Device, paths: SessionPaths): Promise<string | null> =>
    sendAnswer(env, world, paths, { type: 'device', device: { id, name } });
  const accept = (device: Device, paths: SessionPaths, key: string): void => {
    asking.delete(key);
    known.add(key);
    confirmed(device, paths);
  };
  const again = (device: Device, paths: SessionPaths, key: string, left: number): void => {
    world.clock.after(againMs, () => {
      ask(device, paths).then(
        (why) => {
          if (why === null) accept(device, paths, key);
          else if (left > 0 && key === keyOf(device, paths)) again(device, paths, key, left - 1);
          else asking.delete(key);
        },
        () => asking.delete(key),
      );
    });
  };
  return {
    has: (device, paths) => known.has(keyOf(device, paths)),
    ask: async (device, paths) => {
      const key = keyOf(device, paths);
      const why = await ask(device, paths);
      if (why === null) {
        accept(device, paths, key);
        return { good: true, text: 'This device may approve here.' };
      }
      if (!asking.has(key)) again(device, paths, key, mostAsked);
      asking.add(key);
      return { good: false, text: `Not yet: ${safe(why)}.` };
    },
  };
};
