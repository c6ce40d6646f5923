import { join, relative, resolve } from 'node:path';
import { sha256 } from '../../base/hash.io.ts';
import { readFocusText } from '../../session/focus-file.ts';
import { acquireLock, isLock } from '../../session/lock.ts';
import { type LoopPreset, withPreset } from '../../session/settings/loop-presets.ts';
import { type Cli, failure, usage } from '../cli.ts';
import type { Flags } from '../options.ts';
import type { OutputMode } from '../output-mode.ts';
import { type FoundLoop, findLoop } from '../session/find-loop.ts';
import { loadConfiguration } from '../settings/load-settings.ts';
import { startSubjects } from '../trust/start-subjects.ts';
import type { World } from '../world.ts';
import { checkAgents } from './check-agents.ts';
import { checkRunners } from './check-runners.ts';
import { prepareResume } from './prepare-resume.ts';
import type { StartRequest } from './start-request.ts';
import { newSessionPaths } from './wire.ts';

export interface LoopStart {
  readonly workspace: string;
  readonly goal?: string;
  /** As typed; relative to the workspace or absolute. */
  readonly focus?: string;
  readonly preset?: LoopPreset;
  readonly source: 'goal' | 'demo';
  readonly mode: OutputMode;
  readonly flags: Flags;
}

/** A loop ready to start. `release` frees the lock of its focus file. */
interface PreparedLoop {
  readonly request: StartRequest;
  readonly release: () => void;
}

/**
 * Checks a loop and its settings; writes only a lock. A focus file has one loop: a live one is an error that
 * names it, a dead one is resumed (src/discovery/README.md, The loop). The lock lets only one of two simultaneous starts
 * through.
 */
export const prepareLoop = (cli: Cli, world: World, start: LoopStart): PreparedLoop => {
  const focus = start.focus === undefined ? null : focusIn(world, start.workspace, start.focus);
  const goal = start.goal ?? (focus === null ? null : `Work through ${focus}`);
  if (goal === null)
    throw usage(
      'a loop needs a focus file or a goal',
      'name one: `ralph-tui run --mode loop --focus FILE`, or `run --mode loop "GOAL"`',
    );
  const release = focus === null ? () => {} : lockFocus(world, start.workspace, focus);
  try {
    const found = focus === null ? null : findLoop(world, start.workspace, focus);
    if (found?.host?.alive) throw isLive(focus ?? '', found);
    const request = found ? resumed(cli, world, start, found) : begun(cli, world, start, goal, focus);
    return { request, release };
  } catch (error) {
    release();
    throw error;
  }
};

const attendedIn = ({ mode }: LoopStart): boolean => mode === 'screen' || mode === 'reader';

const begun = (
  cli: Cli,
  world: World,
  start: LoopStart,
  goal: string,
  focus: string | null,
): StartRequest => {
  const attended = attendedIn(start);
  const read = loadConfiguration(cli, world, { workspace: start.workspace, attended, flags: start.flags });
  const settings = withPreset(read.settings, start.preset, read.settings);
  if ((settings.roles['executor'] ?? 'script') === 'script' && settings.loop.run.length === 0)
    throw usage(
      'the script agent has nothing to run in this loop',
      'set `loop.run` in .ralph/config.yaml, or name another agent with --agent',
      'no-agent',
    );
  checkRunners(settings, [], 'loop');
  checkAgents(cli, world, start.workspace, settings);
  const { subjects, agreed } = startSubjects(world, start.workspace, {
    settings,
    layers: read.layers,
    attended,
  });
  return {
    workspace: start.workspace,
    discovers: (settings.roles['executor'] ?? 'script') !== 'script',
    // The sample is ours, in a folder that was just made for it.
    subjects: start.source === 'demo' ? [] : subjects,
    engine: () => ({
      paths: newSessionPaths(cli, world, start.workspace),
      begin: {
        kind: 'new',
        goal,
        source: start.source,
        settings,
        mode: 'loop',
        ...(focus === null ? {} : { focus }),
        ...presetOf(start),
      },
      settings,
      attended,
      ...agreed,
      flags: start.flags,
    }),
  };
};

const presetOf = ({ preset }: LoopStart): Pick<LoopStart, 'preset'> =>
  preset === undefined ? {} : { preset };

/** Resumes the loop, with the preset of this start when it names one. */
const resumed = (cli: Cli, world: World, start: LoopStart, { paths }: FoundLoop): StartRequest =>
  prepareResume(cli, world, paths, null, {
    attended: attendedIn(start),
    takeOver: false,
    flags: start.flags,
    ...presetOf(start),
  });

/** The focus file relative to the workspace. Throws a usage error unless it is a regular file in there. */
const focusIn = (world: World, workspace: string, typed: string): string => {
  const focus = relative(workspace, resolve(workspace, typed));
  if (focus === '' || focus.startsWith('..'))
    throw usage(`the focus file ${typed} is outside the workspace`, `choose one in ${workspace}`);
  const kind = world.disk.lstat(join(workspace, focus))?.kind;
  if (kind === undefined) throw usage(`${typed} does not exist`, 'create it first, or name another file');
  if (kind !== 'file')
    throw usage(
      `${typed} is a ${kind === 'other' ? 'special file' : kind}`,
      'the focus of a loop must be a regular file',
    );
  // A file whose boxes cannot be counted would pass for one without boxes.
  readFocusText(world.disk, join(workspace, focus), typed);
  return focus;
};

const lockFocus = (world: World, workspace: string, focus: string): (() => void) => {
  const lock = join(workspace, '.ralph-sessions', `.loop-${sha256(focus).slice(0, 16)}`);
  const taken = acquireLock(world.disk, world.random, { lock }, world.spawn.self, world.spawn.isAlive);
  if (isLock(taken)) return () => taken.release();
  const found = findLoop(world, workspace, focus);
  throw found?.host?.alive
    ? isLive(focus, found)
    : failure({ ...taken, what: `another loop over ${focus} is being started (${taken.what})` });
};

const isLive = (focus: string, { paths, host, state }: FoundLoop) =>
  failure({
    code: 'loop-runs',
    what: `a loop over ${focus} is already running: session ${paths.session}, pid ${host?.pid}, ${state ?? 'RUNNING'}`,
    where: paths.directory,
    hint: `watch it with \`ralph-tui attach ${paths.session}\`, or end it with \`ralph-tui stop --session ${paths.session}\``,
  });
