import { basename } from 'node:path';
import type { Serving } from './serving.ts';
import { placesIn, recordsIn } from './tidy.ts';

/** The process that runs a session now. */
interface RunningHost {
  readonly session: string;
  /** Of the session, on that machine. */
  readonly sessionDirectory: string;
  /** A random name of the process. */
  readonly host: string;
}

/**
 * Ends the links of processes that ran the session before: it runs in one process only, so the others were killed. Their agents would work on, beside those
 * of the next attempts, until their keepers miss a host. What they changed is kept as late work.
 */
export const endEarlierLinks = async (
  { ports, directory }: Serving,
  { session, sessionDirectory, host }: RunningHost,
): Promise<void> => {
  const earlier = placesIn(ports).filter(
    (place) =>
      place !== directory &&
      recordsIn(ports, place).some(
        ({ record }) =>
          record.session === session &&
          record.host?.sessionDirectory === sessionDirectory &&
          record.host.name !== host,
      ),
  );
  await Promise.all(earlier.map((place) => ports.endLink(basename(place))));
};
