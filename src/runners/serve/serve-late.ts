import { join } from 'node:path';
import { FaultError } from '../../base/fault.ts';
import { discard } from '../../base/temporary-file.ts';
import { encodedPiece } from '../repository/pieces.ts';
import { toRunner } from '../wire/to-runner.ts';
import { endEarlierLinks } from './earlier-links.ts';
import { claimDirectory, type Serving } from './serving.ts';

/** Answers for late work: what was kept when the host was gone for too long. */
export const serveLate = (serving: Serving): void => {
  const { ports, peer } = serving;
  const { cache, disk } = ports;
  const lateOf = (session: string, invocation: string) =>
    ports.late.of(session).find((each) => each.invocation === invocation);
  peer.handle(toRunner.late, async ({ session, running }) => {
    if (running !== undefined) await endEarlierLinks(serving, { session, ...running });
    return { late: [...ports.late.of(session)] };
  });
  peer.handle(toRunner.takeLate, async ({ session, invocation, offset }) => {
    const late = lateOf(session, invocation);
    if (!late)
      throw new FaultError({ code: 'no-late', what: `the runner has no late work from ${invocation}` });
    const file = join(serving.directory, `late-${session}-${invocation}.bundle`);
    claimDirectory(serving);
    if (offset === 0) discard(disk, file);
    if (offset === 0) await cache.packKept(late.repository, `${session}/${invocation}`, late.base, file);
    const piece = encodedPiece(disk, file, offset);
    if (piece.last) discard(disk, file);
    return piece;
  });
  peer.handle(toRunner.dropLate, async ({ session, invocation }) => {
    const late = lateOf(session, invocation);
    ports.late.drop(session, invocation);
    if (late) await cache.forget(late.repository, `${session}/${invocation}`);
    return {};
  });
};
