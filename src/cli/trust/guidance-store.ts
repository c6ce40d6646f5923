import { join } from 'node:path';
import { formatTimestamp } from '../../base/clock.ts';
import type { Fault } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import { readText } from '../../base/replace-file.ts';
import { safe } from '../../base/safe.ts';
import {
  type Acknowledged,
  type Acknowledgement,
  acknowledgedFileName,
  parseAcknowledged,
} from '../../session/guidance/acknowledged.ts';
import {
  type Guidance,
  guidanceFileName,
  itemText,
  noGuidance,
  parseGuidance,
} from '../../session/guidance/guidance.ts';
import { writeGuidance } from '../../session/guidance/write-guidance.ts';
import { count } from '../../words/local-time.ts';
import { type Cli, valueOrExit } from '../cli.ts';
import type { World } from '../world.ts';
import { recallTrust, rememberTrust } from './trust-memory.ts';
import type { Subject } from './trust-subjects.ts';

/** A file of a workspace, with the trust of this person. */
interface Kept<T> {
  /** The usable value: empty while the bytes are not trusted. */
  readonly value: T;
  /** The value in the file, trusted or not. */
  readonly said: T;
  /** True when this program wrote these bytes, when a person accepted them, or without a file. */
  readonly trusted: boolean;
  readonly problems: readonly Fault[];
}

const largest = 4 * 1024 * 1024;

/** Reads the guidance of a workspace. Guidance from a clone does not count before a person accepts it (src/discovery/README.md, Trust). */
export const readGuidance = (cli: Pick<Cli, 'env'>, world: World, workspace: string): Kept<Guidance> => {
  const text = readText(world.disk, join(workspace, guidanceFileName), largest);
  const { value, problems } = parseGuidance(text ?? '');
  const trusted = text === null || isTrusted(cli, world, workspace, guidanceFileName, text);
  return { value: trusted ? value : noGuidance, said: value, trusted, problems };
};

/** Reads the acknowledged findings of a workspace, with the same trust rule. */
export const readAcknowledged = (
  cli: Pick<Cli, 'env'>,
  world: World,
  workspace: string,
): Kept<Acknowledged> => {
  const text = readText(world.disk, join(workspace, acknowledgedFileName), largest);
  const { value, problems } = parseAcknowledged(text ?? '');
  const trusted = text === null || isTrusted(cli, world, workspace, acknowledgedFileName, text);
  return { value: trusted ? value : new Map(), said: value, trusted, problems };
};

/** Both files as subjects of the trust question; leaves out a missing or empty file. */
export const guidanceSubjects = (world: World, workspace: string): readonly Subject[] =>
  [guidanceFileName, acknowledgedFileName].flatMap((name) => {
    const text = readText(world.disk, join(workspace, name), largest);
    if (text === null || text.trim() === '') return [];
    const { forbidden, encouraged } = parseGuidance(name === guidanceFileName ? text : '').value;
    const lines =
      name === guidanceFileName
        ? [
            ...forbidden.map((item) => `forbids ${itemText(item)}`),
            ...encouraged.map((item) => `prefers ${itemText(item)}`),
          ]
        : [...parseAcknowledged(text).value.keys()].map((id) => `hides ${id}`);
    return [
      {
        name,
        sha256: sha256(text),
        would: `tells agents ${count(lines.length, 'thing')}`,
        lines: lines.map(safe),
      },
    ];
  });

const isTrusted = (
  { env }: Pick<Cli, 'env'>,
  world: World,
  workspace: string,
  name: string,
  text: string,
): boolean => recallTrust(env, world, workspace, name)?.sha256 === sha256(text);

/** Remembers the present bytes of a file as the person's own; false when that could not be saved. */
export const acceptFile = (cli: Pick<Cli, 'env'>, world: World, workspace: string, name: string): boolean => {
  const text = readText(world.disk, join(workspace, name), largest) ?? '';
  return rememberTrust(cli.env, world, {
    workspace,
    name,
    sha256: sha256(text),
    at: formatTimestamp(world.clock),
  });
};

/**
 * Saves guidance with the present time, and trusts the result. On failure throws a sentence and leaves the old
 * file unchanged.
 */
export const saveGuidance = (
  cli: Pick<Cli, 'env'>,
  world: World,
  workspace: string,
  next: Guidance,
): Guidance => {
  const stamped = { ...next, timestamp: formatTimestamp(world.clock) };
  const file = join(workspace, guidanceFileName);
  valueOrExit(writeGuidance(world, file, stamped));
  acceptFile(cli, world, workspace, guidanceFileName);
  return stamped;
};

/** Appends lines to the acknowledged findings, and trusts the file. */
export const addAcknowledgements = (
  cli: Pick<Cli, 'env'>,
  world: World,
  workspace: string,
  lines: readonly Acknowledgement[],
): void => {
  const file = join(workspace, acknowledgedFileName);
  world.disk.mkdir(join(workspace, '.ralph'));
  const handle = world.disk.openAppend(file);
  try {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    world.disk.write(handle, new TextEncoder().encode(text));
    world.disk.flush(handle);
  } finally {
    world.disk.close(handle);
  }
  acceptFile(cli, world, workspace, acknowledgedFileName);
};
