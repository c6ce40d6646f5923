import { type ChildProcess, spawn } from 'node:child_process';
import { encodePath } from '../../base/file-names.io.ts';
import { gitEnvironment } from '../../base/process/git-environment.ts';
import { ownPath, programOnOwnPath } from '../../base/process/own-program.io.ts';
import {
  findMarked,
  listProcesses,
  type ProcessEntry,
  readProcess,
} from '../../base/process/process-table.io.ts';
import type { Git, GitAnswer, GitCall } from '../git.ts';
import { createOwnCommon, NoOwnDirectory, type OwnCommon } from './own-common.io.ts';
import { type Patience, patienceOf } from './stall.ts';
import { createStayingGit } from './staying-git.io.ts';
import { endGroup, watchChild } from './watch-child.io.ts';

/** Configuration of every call, over that of the person: nothing asks, nothing is done aside. What the repository says is not read (`own-common.io.ts`). */
const quiet = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotePath=false',
  'core.splitIndex=false',
  'core.safecrlf=false',
  'core.editor=true',
  'core.logAllRefUpdates=true',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'log.showSignature=false',
  'color.ui=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'rerere.enabled=false',
  'submodule.recurse=false',
  'advice.detachedHead=false',
];

/** Bytes of one answer. A longer one is a failure. */
const mostBytesOfAll = 512 * 1024 * 1024;

/** Pieces, of a pipe's size at most, of what git says of a failure. */
const mostPieces = 16;

/**
 * git as a child process, in its own group: ctrl-c at the terminal does not cut it off in the middle of a write. A call that takes too long, or prints too
 * much, is ended and has failed.
 */
export const createGit = (
  env: Readonly<Record<string, string | undefined>>,
  mostBytes: number = mostBytesOfAll,
  patience: typeof patienceOf = patienceOf,
): Git => {
  const clean = { variables: gitEnvironment(env), ownCommon: createOwnCommon(env) };
  return {
    run: async (call) => {
      try {
        return await runBeside(() => run(clean, call, mostBytes, patience(call)));
      } catch (error) {
        // Some failures of a start are thrown, not reported.
        return notStarted(error, call);
      }
    },
    stay: (call) =>
      createStayingGit({
        start: () =>
          start(clean, { ...call, ...(call.marker ? { marker: stays(call.marker) } : {}) }, 'pipe'),
        notStarted: (error) => notStarted(error, call),
        mostBytes,
        patience: patience(call),
      }),
    settled,
  };
};

/** What git is started with, whatever the call. */
interface Surroundings {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly ownCommon: OwnCommon;
}

/** Commands that need no repository, or make one. */
const without: ReadonlySet<string> = new Set(['version', 'init']);

const start = (
  { variables, ownCommon }: Surroundings,
  call: GitCall,
  stdin: 'ignore' | 'pipe',
): ChildProcess => {
  const common = call.asIs || without.has(call.args[0] ?? '') ? null : ownCommon(call);
  const own: Record<string, string> = common === null ? {} : { GIT_COMMON_DIR: common };
  const places = [call.cwd, ...(call.workTree ? [call.workTree] : []), ...(call.gitDir ? [call.gitDir] : [])];
  const PATH = ownPath(variables['PATH'], places);
  return spawn(programOnOwnPath('git', PATH) ?? '/nowhere/git', argumentsOf(call), {
    cwd: call.cwd,
    env: {
      ...variables,
      PATH,
      ...variablesOf(call),
      ...own,
      ...settingsOf(call, variables['GIT_CONFIG_COUNT']),
    },
    stdio: [stdin, 'pipe', 'pipe'],
    detached: true,
  });
};

const run = (env: Surroundings, call: GitCall, mostBytes: number, patience: Patience): Promise<GitAnswer> =>
  new Promise((resolve) => {
    const child = start(env, call, call.input === undefined ? 'ignore' : 'pipe');
    const chunks: Buffer[] = [];
    const said: Buffer[] = [];
    let size = 0;
    const giveUp = (failure: GitAnswer['failure'], why: string): void => {
      over();
      resolve(none(failure, why));
    };
    const over = watchChild(child, patience, (why) => giveUp('took-too-long', why));
    child.stdout?.on('data', (bytes: Buffer) => {
      size += bytes.length;
      if (size <= mostBytes) return void chunks.push(bytes);
      endGroup(child);
      giveUp('answer-too-long', `git printed more than ${mostBytes} bytes`);
    });
    child.stderr?.on('data', (bytes: Buffer) => {
      if (said.length < mostPieces) said.push(bytes);
    });
    child.on('error', (error) => {
      over();
      resolve(notStarted(error, call));
    });
    child.on('close', (code) => {
      over();
      const error = Buffer.concat(said).toString('utf8').trim();
      resolve({ code, out: Buffer.concat(chunks), error, failure: code === null ? 'other' : null });
    });
    // git may end before it has read everything.
    child.stdin?.on('error', () => {});
    if (call.input !== undefined) child.stdin?.end(encodePath(call.input));
  });

/**
 * What git says when it meets the registration of a worktree that another git is just making or removing. Our calls
 * can be made again: a branch that such a call had made already is reset by `-B`.
 */
const metHalfMade = /failed to read \S*\/worktrees\/[^/]+\/commondir: /;
const mostTries = 10;

/** Runs git again while a worktree is half made beside it: by another task, another session or the person. One that stays half made is a failure. */
const runBeside = async (once: () => Promise<GitAnswer>): Promise<GitAnswer> => {
  for (let tries = 1; ; tries += 1) {
    const answer = await once();
    if (answer.code === 0 || tries === mostTries || !metHalfMade.test(answer.error)) return answer;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
};

/** The marker of a staying process. */
const stays = (marker: string): string => `${marker} stays`;

const patienceMs = 30_000;
const pauseMs = 20;

const settled: Git['settled'] = async (marker) => {
  const all = listProcesses().filter(({ ended }) => !ended);
  const pids = all.map(({ pid }) => pid);
  const marked = findMarked([marker], pids);
  const staying = findMarked([stays(marker)], pids);
  const isRunning = ({ pid, startTime }: ProcessEntry): boolean => {
    const now = readProcess(pid);
    return now !== null && !now.ended && now.startTime === startTime;
  };
  // A staying process of this program waits for its questions.
  let left = all
    .filter(({ pid, parent }) => marked.has(pid) || (staying.has(pid) && parent !== process.pid))
    .filter(isRunning);
  for (let waited = 0; left.length > 0 && waited < patienceMs; waited += pauseMs) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    left = left.filter(isRunning);
  }
  return left.map(({ pid }) => pid);
};

const none = (failure: GitAnswer['failure'], error: string): GitAnswer => ({
  code: null,
  out: new Uint8Array(),
  error,
  failure,
});

const argumentsOf = (call: GitCall): readonly string[] => [
  '--no-pager',
  '--no-optional-locks',
  ...(call.magicPaths ? [] : ['--literal-pathspecs']),
  ...[...quiet, ...(call.config ?? [])].flatMap((entry) => ['-c', entry]),
  ...(call.gitDir === undefined ? [] : [`--git-dir=${call.gitDir}`]),
  ...(call.workTree === undefined ? [] : [`--work-tree=${call.workTree}`]),
  ...call.args,
];

const variablesOf = (call: GitCall): Readonly<Record<string, string>> => ({
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  // Versions before 2.45 do not know the variable above: they may reach nothing.
  ...(call.far ? {} : { GIT_ALLOW_PROTOCOL: 'none' }),
  ...(call.marker === undefined ? {} : { RALPH_RUN: call.marker }),
  ...(call.indexFile === undefined ? {} : { GIT_INDEX_FILE: call.indexFile }),
  ...(call.objects === undefined
    ? {}
    : {
        GIT_OBJECT_DIRECTORY: call.objects.directory,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: `"${call.objects.also.replace(/["\\]/g, '\\$&')}"`,
      }),
  ...(call.identity === undefined
    ? {}
    : {
        GIT_AUTHOR_NAME: call.identity.name,
        GIT_AUTHOR_EMAIL: call.identity.email,
        GIT_COMMITTER_NAME: call.identity.name,
        GIT_COMMITTER_EMAIL: call.identity.email,
      }),
});

/** As variables, after those that the person has there. */
const settingsOf = ({ settings = [] }: GitCall, before = '0'): Readonly<Record<string, string>> => {
  const first = Number.parseInt(before, 10) || 0;
  if (settings.length === 0) return {};
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(first + settings.length)],
    ...settings.flatMap(({ key, value }, at) => [
      [`GIT_CONFIG_KEY_${first + at}`, key],
      [`GIT_CONFIG_VALUE_${first + at}`, value],
    ]),
  ]);
};

const notStarted = (error: unknown, call: GitCall): GitAnswer => {
  if (error instanceof NoOwnDirectory) return none('other', error.message);
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'for an unknown reason';
  if (code === 'ENOENT') return none('not-installed', `git is not installed, or ${call.cwd} does not exist`);
  if (code === 'E2BIG') return none('arguments-too-long', 'these are too many files for one git command');
  return none('other', `git could not be started (${code})`);
};
