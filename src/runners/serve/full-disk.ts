import { FaultError, toFault } from '../../base/fault.ts';
import type { Peer } from '../link/peer.io.ts';

/** A full disk of this machine in one sentence: to the host its paths mean nothing. */
export const sayingFull = (peer: Peer): Peer => ({
  ...peer,
  handle: (method, answer) =>
    peer.handle(method, (params, over) =>
      answer(params, over).catch((error: unknown) => {
        const { code, what } = toFault(error);
        if (code !== 'disk-full' && !/no space left on device|disk quota exceeded/iu.test(what)) throw error;
        throw new FaultError({
          code: 'runner-disk',
          what: 'the disk there is full',
          hint: 'free some space in its home directory; the work done there is kept',
        });
      }),
    ),
});
