import type { ClosedPaths } from './closed-paths.io.ts';
import { type FencedProgram, seenPrograms } from './fenced-program.ts';
import { machineFiles, type ProcMasks, type SystemPlaces } from './system-paths.ts';

/** What a fence lets in. Paths are absolute. */
export interface Fence {
  /** The node that runs our program inside. */
  readonly node: string;
  /** The directory of our program. */
  readonly program: string;
  /** The throw-away home on this machine. With `work` it is the only place that can be written, beside `/tmp`. */
  readonly home: string;
  /** Where work trees lie on this machine. */
  readonly work: string;
  readonly programs: readonly FencedProgram[];
  /** The directory with our own `passwd`, `group` and `hosts`. */
  readonly accounts: string;
  readonly system: SystemPlaces;
  /** What of the system directories is covered. */
  readonly closed: ClosedPaths;
  /** What of `/proc` is covered, and what cannot be written. */
  readonly proc: ProcMasks;
  /** Further directories that the person named, seen read-only at the same path. */
  readonly tools: readonly string[];
  /** The directory with the socket of the proxy; `null`: no network, or the whole one. */
  readonly proxy: string | null;
  readonly network: 'model' | 'on' | 'none';
  /** This account is root: everything inside works as this account without rights. `null`: the account has none, and a user namespace suffices. */
  readonly lowerTo: number | null;
}

/** Where the home is inside. */
export const fencedHome = '/home/agent';
/** Where work trees are inside. */
const fencedWork = '/runner';
/** Where the proxy's socket is inside. */
export const fencedProxy = '/.ralph/net/proxy.sock';

/**
 * The argv of a fence around `ralph-tui runner --stdio`: every namespace of its own, a root that holds only the system's programs, and a private `/tmp`,
 * `/run`, `/proc` and home. Unix sockets work through read-only mounts, so their places do not exist there at all: no docker.sock, no D-Bus, no
 * ssh-agent. The environment is rebuilt by the caller.
 */
export const bwrapCommand = (fence: Fence): readonly string[] => {
  const { paths, links } = seenPrograms(fence.programs);
  const { closed, proc, accounts, lowerTo } = fence;
  const bind = (path: string): readonly string[] => ['--ro-bind-try', path, path];
  return [
    'bwrap',
    ...namespaces(fence),
    '--new-session',
    '--die-with-parent',
    ...openParents([...fence.system.paths, ...machineFiles(true), '/.ralph/bin/node', fencedHome]),
    ...fence.system.paths.flatMap(bind),
    ...fence.system.links.flatMap(({ file, real }) => ['--symlink', real, file]),
    ...machineFiles(fence.network === 'on').flatMap(bind),
    ...accountFiles
      .filter((name) => name !== 'hosts' || fence.network !== 'on')
      .flatMap((name) => ['--ro-bind', `${accounts}/${name}`, `/etc/${name}`]),
    ...closed.files.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...closed.directories.flatMap((path) => ['--tmpfs', path]),
    ...['--proc', '/proc'],
    ...proc.readOnly.flatMap((path) => ['--ro-bind', path, path]),
    ...proc.files.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...proc.directories.flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
    ...['--dev', '/dev', '--perms', '1777', '--tmpfs', '/dev/shm', '--perms', '1777', '--tmpfs', '/tmp'],
    ...['--tmpfs', '/run'],
    ...openParents([...fence.tools, ...paths, ...links.map(({ file }) => file)]),
    // After the private /tmp: programs may be installed below the machine's own.
    ...[...fence.tools, ...paths].flatMap((path) => ['--ro-bind', path, path]),
    ...links.flatMap(({ file, real }) => ['--symlink', real, file]),
    ...(fence.network === 'on' ? bind('/run/systemd/resolve') : []),
    ...['--ro-bind', fence.node, '/.ralph/bin/node', '--ro-bind', fence.program, '/.ralph/program'],
    ...(fence.proxy === null ? [] : ['--bind', fence.proxy, '/.ralph/net']),
    ...['--bind', fence.home, fencedHome, '--bind', fence.work, fencedWork],
    // Before it lowers itself, our program may not enter the home.
    ...['--remount-ro', '/', '--chdir', lowerTo === null ? fencedHome : '/'],
    ...['/.ralph/bin/node', '/.ralph/program/ralph-tui.js', 'runner', '--stdio', '--in', fencedWork],
    ...(lowerTo === null ? [] : ['--lower-to', String(lowerTo)]),
  ];
};

/** Makes the directories above these paths ones that every id may enter: bwrap would make some for its own alone. */
const openParents = (paths: readonly string[]): readonly string[] => {
  const parents = paths.flatMap((path) => {
    const parts = path.split('/').slice(1, -1);
    return parts.map((_, at) => `/${parts.slice(0, at + 1).join('/')}`);
  });
  return [...new Set(parents)].toSorted().flatMap((path) => ['--perms', '0755', '--dir', path]);
};

/** Files of `/etc` that we write ourselves. */
const accountFiles = ['passwd', 'group', 'hosts'] as const;

/**
 * A user namespace gives an account without rights those to mount. Root has them, and keeps its id in a namespace of its own, with which it could still
 * write the settings of the kernel and read its own files: there our program lowers itself to an id of no account, before it serves anything.
 */
const namespaces = ({ network, lowerTo }: Fence): readonly string[] =>
  lowerTo === null
    ? ['--unshare-all', ...(network === 'on' ? ['--share-net'] : [])]
    : [
        ...['--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
        ...(network === 'on' ? [] : ['--unshare-net']),
        ...['--cap-drop', 'ALL', '--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID'],
      ];
