import { formatTimestamp } from '../../base/clock.ts';
import type { Fault } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import { safe } from '../../base/safe.ts';
import type { Layer } from '../../session/config.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { wideningSettings } from '../../session/settings/widening-settings.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import { recallTrust, rememberTrust } from './trust-memory.ts';
import { type Subject, sessionName } from './trust-subjects.ts';

/**
 * What a resume takes from the files beside a session's journal: the plan as it was started, and those settings of the instructions that widen what runs.
 * An agent can write both, so that they count only while they are what this program wrote or a person accepted. The Planner writes other
 * instructions in every session.
 */
export interface SessionFiles {
  /** The text. */
  readonly plan: string | null;
  /** One line for each setting, as `wideningSettings` gives them. */
  readonly widened: readonly string[];
}

export const sessionFiles = (plan: string | null, layers: readonly Layer[]): SessionFiles => ({
  plan,
  widened: layers
    .filter(({ name }) => name === 'instructions')
    .flatMap(({ values }) => wideningSettings(values)),
});

const filesName = (session: string): string => `the plan and instructions of ${sessionName(session)}`;

const digestOf = ({ plan, widened }: SessionFiles): string => sha256(JSON.stringify([plan, widened]));

/** Remembers them as they were when the session began. */
export const rememberFiles = (
  env: Cli['env'],
  world: World,
  { workspace, session }: SessionPaths,
  files: SessionFiles,
): void => {
  const at = formatTimestamp(world.clock);
  rememberTrust(env, world, { workspace, name: filesName(session), sha256: digestOf(files), at });
};

/**
 * The question about them. `own`: the layers of both. The question about a session that was not started here lists these settings already: `isKnown` is
 * false then.
 */
export const filesSubject = (
  { session }: SessionPaths,
  files: SessionFiles,
  own: readonly Layer[],
  isKnown: boolean,
): Subject => {
  const lines = isKnown
    ? own.flatMap(({ values }) => wideningSettings(values)).map((line) => safe(`sets ${line}`))
    : [];
  return {
    name: filesName(session),
    sha256: digestOf(files),
    would: isKnown ? `would set ${lines.length} key${lines.length === 1 ? '' : 's'}` : 'would count with it',
    lines,
    isRead: true,
  };
};

/** For the host of a session, which cannot ask: a fault when they are no longer what was accepted. */
export const unseenFiles = (
  env: Cli['env'],
  world: World,
  paths: SessionPaths,
  files: SessionFiles,
): Fault | null => {
  const known = recallTrust(env, world, paths.workspace, filesName(paths.session));
  if (known?.sha256 === digestOf(files)) return null;
  return {
    code: 'needs-yes',
    what: 'the plan or the instructions of the session have changed since they were accepted',
    where: paths.instructions,
    hint: `run \`ralph-tui resume ${paths.session}\` in a terminal to review and accept them`,
  };
};
