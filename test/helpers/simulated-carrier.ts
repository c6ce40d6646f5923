import type { Clock } from '../../src/base/clock.ts';
import type { Carrier } from '../../src/runners/carriers/carrier.ts';
import type { Pipe, PipeEnd } from '../../src/runners/link/pipe.ts';

/** What a simulated network does to lines. Chances are between 0 and 1. */
export interface Weather {
  readonly delayMs: number;
  readonly duplicate: number;
  readonly reorder: number;
}

export const fair: Weather = { delayMs: 1, duplicate: 0, reorder: 0 };

/** Attaches a connection to the process that serves this link. */
type Attach = (pipe: Pipe, link: string) => PipeEnd;

/** A carrier to a side in this process, over a network that a test controls. */
export interface SimulatedCarrier extends Carrier {
  /** Ends the connection: what is under way is lost, and nothing connects until `mend`. */
  cut(): void;
  mend(): void;
  /** Another process answers from now on, as after a crash. */
  replace(attach: Attach): void;
  /** Calls `seen` with each line that arrives at either side; `true` cuts the connection before it arrives. */
  watch(seen: (line: string) => boolean): void;
  readonly connections: () => number;
}

export const createSimulatedCarrier = (
  clock: Clock,
  chance: () => number,
  first: Attach,
  weather: Weather = fair,
): SimulatedCarrier => {
  let attach = first;
  let isCut = false;
  let connections = 0;
  let watcher: (line: string) => boolean = () => false;
  let end: () => void = () => undefined;

  const open: Carrier['open'] = (link, ends) => {
    connections += 1;
    let live = !isCut;
    /** In order, unless the weather reorders. */
    let last = 0;
    const carry = (to: (line: string) => void) => (line: string) => {
      const copies = chance() < weather.duplicate ? 2 : 1;
      for (let copy = 0; copy < copies; copy += 1) {
        const jitter = chance() < weather.reorder ? chance() * 20 * weather.delayMs : 0;
        const due =
          jitter > 0
            ? clock.monotonic() + weather.delayMs + jitter
            : Math.max(last, clock.monotonic() + weather.delayMs);
        if (jitter === 0) last = due;
        clock.after(due - clock.monotonic(), () => {
          if (!live) return;
          if (watcher(line)) stop();
          else to(line);
        });
      }
    };
    let far: PipeEnd | null = null;
    const stop = (): void => {
      if (!live) return;
      live = false;
      far?.ended(null);
      ends.ended({ code: 'cut', what: 'the network is down' });
    };
    end = stop;
    if (live) far = attach({ write: carry((line) => ends.line(line)), close: stop }, link);
    else clock.after(1, () => ends.ended({ code: 'cut', what: 'the network is down' }));
    return { write: carry((line) => far?.line(line)), close: stop };
  };

  return {
    kind: 'ssh',
    open,
    cut: () => {
      isCut = true;
      end();
    },
    mend: () => {
      isCut = false;
    },
    replace: (next) => {
      attach = next;
      end();
    },
    watch: (seen) => {
      watcher = seen;
    },
    connections: () => connections,
  };
};
