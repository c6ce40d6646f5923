import type { ClosedPaths } from './closed-paths.io.ts';
import { type FencedProgram, seenPrograms } from './fenced-program.ts';

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
  /** What of the system directories is covered. */
  readonly closed: ClosedPaths;
  /** Further directories that the person named, seen read-only at the same path. */
  readonly tools: readonly string[];
  /** The directory with the socket of the proxy; `null`: no network, or the whole one. */
  readonly proxy: string | null;
  readonly network: 'model' | 'on' | 'none';
}

/** Where the home is inside. */
export const fencedHome = '/home/agent';
/** Where work trees are inside. */
const fencedWork = '/runner';
/** Where the proxy's socket is inside. */
export const fencedProxy = '/.ralph/net/proxy.sock';

/** System directories, read-only. Nothing else of the root exists inside: no home, no other repository, no /var. */
const system = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix'];

/**
 * The argv of a fence around `ralph-tui runner --stdio`: every namespace of its own, a root that holds only the system's programs, and a private `/tmp`,
 * `/run`, `/proc` and home. Unix sockets work through read-only mounts, so their places do not exist there at all: no docker.sock, no D-Bus, no
 * ssh-agent. The environment is rebuilt by the caller.
 */
export const bwrapCommand = (fence: Fence): readonly string[] => {
  const { paths, links } = seenPrograms(fence.programs);
  return [
    'bwrap',
    '--unshare-all',
    ...(fence.network === 'on' ? ['--share-net'] : []),
    '--new-session',
    '--die-with-parent',
    ...system.flatMap((path) => ['--ro-bind-try', path, path]),
    ...fence.closed.files.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...fence.closed.directories.flatMap((path) => ['--tmpfs', path]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/run'],
    // After the private /tmp: programs may be installed below the machine's own.
    ...[...fence.tools, ...paths].flatMap((path) => ['--ro-bind', path, path]),
    ...links.flatMap(({ file, real }) => ['--symlink', real, file]),
    ...(fence.network === 'on' ? ['--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'] : []),
    ...['--ro-bind', fence.node, '/.ralph/bin/node', '--ro-bind', fence.program, '/.ralph/program'],
    ...(fence.proxy === null ? [] : ['--bind', fence.proxy, '/.ralph/net']),
    ...['--bind', fence.home, fencedHome, '--bind', fence.work, fencedWork],
    ...['--remount-ro', '/', '--chdir', fencedHome],
    ...['/.ralph/bin/node', '/.ralph/program/ralph-tui.js', 'runner', '--stdio', '--in', fencedWork],
  ];
};
