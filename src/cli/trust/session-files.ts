import { formatTimestamp } from '../../base/clock.ts';
import { sha256 } from '../../base/hash.io.ts';
import { safe } from '../../base/safe.ts';
import { readHooks } from '../../engine/guards/hooks.ts';
import type { Layer } from '../../session/config.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { wideningSettings } from '../../session/settings/widening-settings.ts';
import { count } from '../../words/local-time.ts';
import { type Cli, failure } from '../cli.ts';
import type { World } from '../world.ts';
import { ranByGit } from './ran-by-git.ts';
import { recallTrust, rememberTrust } from './trust-memory.ts';
import { isKnownSession } from './trust-question.ts';
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
  /** Name and hash of each hook that our commit step, or the push of a flow, would run. */
  readonly hooks: readonly string[];
}

export const sessionFiles = (
  { env, disk }: { readonly env: Cli['env']; readonly disk: World['disk'] },
  workspace: string,
  plan: string | null,
  runsHooks: boolean,
  layers: readonly Layer[] = [],
): SessionFiles => ({
  plan,
  hooks: runsHooks ? hooksOf(env, disk, workspace) : [],
  widened: layers
    .filter(({ name }) => name === 'instructions')
    .flatMap(({ values }) => wideningSettings(values)),
});

const hooksOf = (env: Cli['env'], disk: World['disk'], workspace: string): readonly string[] =>
  [...readHooks(disk, workspace, ranByGit(env, { disk }, workspace))].map(
    ([path, file]) => `${path} ${file.kind === 'file' ? `${file.mode} ${sha256(file.bytes)}` : file.mark}`,
  );

const filesName = (session: string): string => `the plan, instructions and hooks of ${sessionName(session)}`;

const digestOf = ({ plan, widened, hooks }: SessionFiles): string =>
  sha256(JSON.stringify([plan, widened, hooks]));

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
 * The question about them. `own`: the layers of both. The question about a session that was not started here lists these settings already.
 */
export const filesSubject = (
  env: Cli['env'],
  world: World,
  paths: SessionPaths,
  files: SessionFiles,
  own: readonly Layer[],
): Subject => {
  const isKnown = isKnownSession(env, world, paths);
  const set = isKnown
    ? own.flatMap(({ values }) => wideningSettings(values)).map((line) => safe(`sets ${line}`))
    : [];
  const hooks = files.hooks.map((hook) => safe(`runs the hook ${hook.slice(0, hook.indexOf(' '))}`));
  const lines = [...set, ...(isKnown ? hooks : [])];
  return {
    name: filesName(paths.session),
    sha256: digestOf(files),
    would: isKnown
      ? `would set ${count(set.length, 'key')}${hooks.length === 0 ? '' : ` and run ${count(hooks.length, 'hook')}`}`
      : 'would be used as it is',
    lines,
    isRead: true,
  };
};

/** For the host of a session, which cannot ask: throws when they are no longer what was accepted. */
export const refuseUnseenFiles = (
  env: Cli['env'],
  world: World,
  paths: SessionPaths,
  files: SessionFiles,
): void => {
  const known = recallTrust(env, world, paths.workspace, filesName(paths.session));
  if (known?.sha256 === digestOf(files)) return;
  throw failure({
    code: 'needs-yes',
    what: 'the plan, the instructions or the hooks of the session have changed since they were accepted',
    where: paths.instructions,
    hint: `run \`ralph-tui resume ${paths.session}\` in a terminal to review and accept them`,
  });
};
