import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toFault } from '../../base/fault.ts';
import type { ChildExit, Spawn } from '../../base/process/spawn.ts';
import { bwrapCommand, type Fence, fencedHome, fencedProxy } from '../fence/bwrap-command.ts';
import { closedPaths } from '../fence/closed-paths.io.ts';
import { type LoginFile, loginPart } from '../fence/login-part.ts';
import { type OpenProxy, openProxy } from '../fence/proxy.io.ts';
import type { Pipe } from '../link/pipe.ts';
import { claimPlace, type PlacePorts, takeLeftPlaces } from '../places/owned-place.ts';
import { lendWork, type SessionWork, takeBackWork } from '../places/session-work.io.ts';
import type { Carrier, CarrierEnds } from './carrier.ts';
import { openProcess } from './process.ts';

/** Milliseconds in which a fence removes its work trees: on a busy machine that takes more than a second. */
const clearsUpMs = 10_000;

interface SandboxPorts extends PlacePorts {
  readonly spawn: Spawn;
  /** Where throw-away homes are, absolute. */
  readonly directory: string;
  /** Where the work of its session lies, which outlives a fence that was killed. `null`: it goes with the home. */
  readonly work: SessionWork | null;
}

interface SandboxTarget extends Pick<Fence, 'node' | 'program' | 'programs' | 'tools' | 'network'> {
  readonly name: string;
  /** The home whose login files are copied, and these files. */
  readonly home: string;
  readonly logins: readonly LoginFile[];
  readonly hosts: readonly string[];
  /** The whole environment inside, beside HOME and PATH. */
  readonly env: Readonly<Record<string, string>>;
}

/** Links into fences on this machine, one after the other. The home of each is gone when it ends; its work stays until the session has taken it. */
export const createSandboxCarrier = (ports: SandboxPorts, target: SandboxTarget): Carrier => {
  // Two of them would clear up after each other in the same work.
  let last: Promise<void> = Promise.resolve();
  return {
    kind: 'sandbox',
    open: (link, ends) => {
      const before = last;
      const over = Promise.withResolvers<void>();
      last = over.promise;
      return openFence(ports, target, link, before, {
        line: ends.line,
        ended: (why) => {
          over.resolve();
          ends.ended(why);
        },
      });
    },
  };
};

const openFence = (
  ports: SandboxPorts,
  target: SandboxTarget,
  link: string,
  before: Promise<void>,
  ends: CarrierEnds,
): Pipe => {
  const place = join(ports.directory, link);
  let pipe: Pipe | null = null;
  let closed = false;
  const waiting: string[] = [];
  const clear = (proxy: OpenProxy | null): void => {
    proxy?.close();
    rmSync(place, { recursive: true, force: true });
    if (ports.work !== null) takeBackWork(ports.work, target.name);
  };
  void before
    .then(() => start(ports, target, place, ends, clear))
    .then((opened) => {
      pipe = opened;
      if (closed) opened.close();
      for (const line of waiting) opened.write(line);
    })
    .catch((error: unknown) => {
      clear(null);
      ends.ended({ ...toFault(error), where: `runner ${target.name}` });
    });
  return {
    write: (line) => {
      if (pipe === null) waiting.push(line);
      else pipe.write(line);
    },
    close: () => {
      closed = true;
      pipe?.close();
    },
  };
};

const start = async (
  ports: SandboxPorts,
  target: SandboxTarget,
  place: string,
  ends: CarrierEnds,
  clear: (proxy: OpenProxy | null) => void,
): Promise<Pipe> => {
  const { spawn, clock } = ports;
  // A host that was killed left copies of logins behind.
  for (const left of takeLeftPlaces(ports, ports.directory)) rmSync(left, { recursive: true, force: true });
  rmSync(place, { recursive: true, force: true });
  claimPlace(ports, place);
  const home = join(place, 'home');
  const net = join(place, 'net');
  const work = ports.work === null ? join(place, 'work') : lendWork(ports.work, target.name);
  for (const path of [home, net, work]) mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const login of target.logins) copyLogin(target.home, home, login);
  const proxy = target.network === 'model' ? await openProxy(join(net, 'proxy.sock'), target.hosts) : null;
  const closed = closedPaths('/etc');
  const command = bwrapCommand({ ...target, home, work, closed, proxy: proxy === null ? null : net });
  return openProcess(
    {
      spawn,
      clock,
      command: {
        command,
        cwd: '/',
        env: {
          ...target.env,
          HOME: fencedHome,
          PATH: [
            '/.ralph/bin',
            ...new Set(target.programs.map(({ file }) => dirname(file))),
            ...target.tools.map((path) => join(path, 'bin')),
            '/usr/local/bin',
            '/usr/bin',
            '/bin',
          ].join(':'),
          ...(proxy === null ? {} : { RALPH_FENCE_PROXY: fencedProxy }),
        },
        marker: `runner:${place}`,
      },
      fault: (exit, said) => sandboxFault(target.name, exit, said),
      closeMs: clearsUpMs,
    },
    {
      line: ends.line,
      ended: (why) => {
        clear(proxy);
        ends.ended(why);
      },
    },
  );
};

/** Copies a login file, or its named parts. A link is not followed, and a file that is not there or is damaged is passed over. */
const copyLogin = (from: string, to: string, login: LoginFile): void => {
  const source = join(from, login.file);
  if (!lstatSync(source, { throwIfNoEntry: false })?.isFile()) return;
  const text = loginPart(login, readFileSync(source, 'utf8'));
  if (text === null) return;
  const place = join(to, login.file);
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  writeFileSync(place, text, { mode: 0o600 });
};

const sandboxFault = (name: string, exit: ChildExit, said: string) => {
  const where = `runner ${name}`;
  const last =
    said
      .split('\n')
      .findLast((line) => line.trim() !== '')
      ?.trim() ?? '';
  if (exit.kind === 'not-started')
    return {
      code: 'no-bwrap',
      what: `bwrap could not be started: ${exit.reason}`,
      where,
      hint: 'install bubblewrap',
    };
  return {
    code: 'runner-ended',
    what: `the sandbox ended${last === '' ? '' : `: ${last}`}`,
    where,
    hint: 'if the system forbids user namespaces, `sysctl kernel.unprivileged_userns_clone=1` allows them',
  };
};
