/** A browser that was paired with `serve`, by its id. */
export interface DeviceName {
  readonly id: string;
  readonly name: string;
}

/** Devices that keys on screens of this session confirmed, in memory: nothing that an agent could write counts. Ends with this program. */
export interface Devices {
  /** `null`: the device is confirmed. Otherwise asks a screen to confirm it, once, and says what holds meanwhile. */
  readonly confirm: (device: DeviceName) => string | null;
  readonly isConfirmed: (id: string) => boolean;
}

interface DevicePorts {
  /** Why no screen can be asked now, or `null`. */
  readonly unasked: () => string | null;
  /** Asks; calls back once with what a key decided. */
  readonly ask: (device: DeviceName, decided: (allowed: boolean) => void) => void;
}

/** Devices that are asked about in one run. */
const most = 20;

export const createDevices = ({ unasked, ask }: DevicePorts): Devices => {
  const known = new Map<string, 'asked' | 'confirmed' | 'refused'>();
  return {
    isConfirmed: (id) => known.get(id) === 'confirmed',
    confirm: (device) => {
      const state = known.get(device.id);
      if (state === 'confirmed') return null;
      if (state === 'refused') return 'a key on a screen of the session refused this device';
      if (state === 'asked') return 'a screen of the session asks about this device';
      const why = known.size >= most ? 'too many devices were asked about' : unasked();
      if (why !== null) return why;
      known.set(device.id, 'asked');
      ask(device, (allowed) => known.set(device.id, allowed ? 'confirmed' : 'refused'));
      return 'a screen of the session asks about this device';
    },
  };
};
