import type { ProcessIdentity } from '../../base/process/spawn.ts';

/**
 * A process as part of a file name: boot id, pid namespace, pid, start time (src/signals/README.md, Files). Characters other than letters, digits and `-` become
 * `_XX`.
 */
export const formatOwner = (identity: ProcessIdentity): string =>
  [identity.boot, identity.pidNamespace, String(identity.pid), identity.startTime].map(encodePart).join('.');

/** Parses the process from a name part; null for another form. */
export const parseOwner = (text: string): ProcessIdentity | null => {
  const parts = text.split('.').map(decodePart);
  const [boot, pidNamespace, pid, startTime] = parts;
  if (parts.length !== 4 || boot === undefined || pidNamespace === undefined || startTime === undefined)
    return null;
  return pid !== undefined && /^\d+$/.test(pid) ? { boot, pidNamespace, pid: Number(pid), startTime } : null;
};

const encodePart = (text: string): string =>
  text.replace(/[^A-Za-z0-9-]/g, (character) =>
    [...new TextEncoder().encode(character)].map((byte) => `_${byte.toString(16).padStart(2, '0')}`).join(''),
  );

const decodePart = (text: string): string =>
  text.replace(/(?:_[0-9a-f]{2})+/g, (run) =>
    new TextDecoder().decode(Uint8Array.from(run.slice(1).split('_'), (byte) => Number.parseInt(byte, 16))),
  );

/** `<id16>~<owner>~<name>`: the name of a claim, with the original name for the archive. */
export const formatClaimName = (id: string, owner: string, file: string): string =>
  `${id.slice(0, 16)}~${owner}~${file}`;

export interface ClaimName {
  readonly id16: string;
  readonly owner: string;
  readonly file: string;
}

/** Null when the name is no claim of ours. */
export const parseClaimName = (name: string): ClaimName | null => {
  const found = /^([0-9a-f]{16})~([^~]+)~(.+)$/s.exec(name);
  return found ? { id16: found[1] ?? '', owner: found[2] ?? '', file: found[3] ?? '' } : null;
};
