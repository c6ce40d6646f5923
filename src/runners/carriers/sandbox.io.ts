import { chownSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Fault, toFault } from '../../base/fault.ts';
import { ownProgram } from '../../base/process/own-program.io.ts';
import type { ChildExit, Spawn } from '../../base/process/spawn.ts';
import { accountsInside } from '../fence/accounts-inside.ts';
import { loopbackEntries } from '../fence/allowed-host.ts';
import { bwrapCommand, type Fence, fencedHome, fencedProxy } from '../fence/bwrap-command.ts';
import { type LoginFile, loginPart } from '../fence/login-part.ts';
import { closeInherited, lookAtMachine, type MachineView, refuseClosed } from '../fence/machine-view.io.ts';
import { type OpenProxy, openProxy } from '../fence/proxy.io.ts';
import type { Pipe } from '../link/pipe.ts';
import { claimPlace, type PlacePorts, takeLeftPlaces } from '../places/owned-place.ts';
import { lendWork, linksWithWork, type SessionWork, takeBackWork } from '../places/session-work.io.ts';
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
  /** The PATH of this machine, on which bwrap is found. */
  readonly path: string | undefined;
  readonly logins: readonly LoginFile[];
  readonly hosts: readonly string[];
  /** The whole environment inside, beside HOME and PATH. */
  readonly env: Readonly<Record<string, string>>;
}

/** What all fences of one runner share. */
interface Fences {
  readonly ports: SandboxPorts;
  readonly target: SandboxTarget;
  /** What of this machine they show: it is looked for once. */
  readonly view: () => MachineView;
}

/**
 * Links into fences on this machine, each into one of its own. The home of a fence is gone when it ends; its work stays until the session has taken it.
 */
export const createSandboxCarrier = (ports: SandboxPorts, target: SandboxTarget): Carrier => {
  // Two fences of one link would clear up after each other in the same work.
  const open = new Map<string, Promise<void>>();
  let view: MachineView | null = null;
  const fences: Fences = {
    ports,
    target,
    view: () => {
      view ??= lookAtMachine(target);
      return view;
    },
  };
  return {
    kind: 'sandbox',
    open: (link, ends) => {
      const before = open.get(link) ?? Promise.resolve();
      const over = Promise.withResolvers<void>();
      open.set(link, over.promise);
      return openFence(fences, link, before, {
        ...ends,
        ended: (why) => {
          over.resolve();
          if (open.get(link) === over.promise) open.delete(link);
          ends.ended(why);
        },
      });
    },
    left: () =>
      ports.work === null ? [] : linksWithWork(ports.work, target.name).filter((link) => !open.has(link)),
  };
};

const openFence = (fences: Fences, link: string, before: Promise<void>, ends: CarrierEnds): Pipe => {
  const { ports, target } = fences;
  const place = join(ports.directory, link);
  let pipe: Pipe | null = null;
  let closed = false;
  const waiting: string[] = [];
  const clear = (proxy: OpenProxy | null): void => {
    proxy?.close();
    rmSync(place, { recursive: true, force: true });
    if (ports.work !== null) takeBackWork(ports.work, { name: target.name, link });
  };
  void before
    .then(() => start(fences, { link, place }, ends, clear))
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
  { ports, target, view }: Fences,
  { link, place }: { readonly link: string; readonly place: string },
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
  const accounts = join(place, 'etc');
  const work = ports.work === null ? join(place, 'work') : lendWork(ports.work, { name: target.name, link });
  for (const path of [home, net, accounts, work]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const seen = view();
  if (seen.lowerTo !== null)
    for (const path of [
      target.node,
      target.program,
      ...target.tools,
      ...target.programs.map(({ real }) => real),
    ])
      refuseClosed(path, target.name);
  const lowered = loweredTo(seen.lowerTo);
  for (const login of target.logins) copyLogin(target.home, home, login, lowered);
  for (const [name, text] of Object.entries(accountsInside(seen.lowerTo ?? process.getuid?.() ?? 0)))
    writeFileSync(join(accounts, name), text, { mode: 0o644 });
  const proxy = target.network === 'model' ? await openProxy(join(net, 'proxy.sock'), target.hosts) : null;
  for (const path of [home, work, net, ...(proxy === null ? [] : [join(net, 'proxy.sock')])]) lowered(path);
  const [, ...words] = bwrapCommand({
    ...target,
    ...seen,
    ...{ home, work, accounts },
    proxy: proxy === null ? null : net,
  });
  // Not on the PATH inside: the directory of an agent's program may hold a `bwrap` of its own.
  const bwrap = ownProgram('bwrap', target.path, []) ?? '/nowhere/bwrap';
  closeInherited();
  return openProcess(
    {
      spawn,
      clock,
      command: {
        command: [bwrap, ...words],
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
          ...(proxy === null
            ? {}
            : {
                RALPH_FENCE_PROXY: fencedProxy,
                RALPH_FENCE_LOOPBACK: loopbackEntries(target.hosts).join(','),
              }),
        },
        marker: `runner:${place}`,
      },
      fault: (exit, said) => sandboxFault(target.name, exit, said),
      closeMs: clearsUpMs,
    },
    {
      ...ends,
      ended: (why) => {
        clear(proxy);
        ends.ended(why);
      },
    },
  );
};

/** Gives what root made to the id that works inside. */
const loweredTo =
  (id: number | null) =>
  (path: string): void => {
    if (id !== null) chownSync(path, id, id);
  };

/** Copies a login file, or its named parts. A link is not followed, and a file that is not there or is damaged is passed over. */
const copyLogin = (from: string, to: string, login: LoginFile, lowered: (path: string) => void): void => {
  const source = login.from ?? join(from, login.file);
  if (!lstatSync(source, { throwIfNoEntry: false })?.isFile()) return;
  const text = loginPart(login, readFileSync(source, 'utf8'));
  if (text === null) return;
  const place = join(to, login.file);
  const parts = dirname(login.file).split('/');
  for (const at of parts.keys()) {
    const directory = join(to, ...parts.slice(0, at + 1));
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    lowered(directory);
  }
  writeFileSync(place, text, { mode: 0o600 });
  lowered(place);
};

/** Why a fence ended, with what to do. Exported for its test. */
export const sandboxFault = (name: string, exit: ChildExit, said: string): Fault => {
  const where = `runner ${name}`;
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  const last = (lines.findLast((line) => line.startsWith('bwrap: ')) ?? lines.at(-1) ?? '').trim();
  if (exit.kind === 'not-started')
    return {
      code: 'no-bwrap',
      what: `bwrap could not be started: ${exit.reason}`,
      where,
      hint: 'install bubblewrap',
    };
  const quoted = last === '' ? '' : `: ${last}`;
  const missing =
    /^bwrap: .*(?:permission denied|operation not permitted|no space left|setting up uid map)/iu;
  if (!missing.test(last))
    return {
      code: 'runner-ended',
      what: `the sandbox ended${quoted}`,
      where,
      hint: 'the next attempt starts a new one',
    };
  return {
    code: 'no-namespaces',
    what: `this system does not let bwrap make the namespaces of a sandbox${quoted}`,
    where,
    hint: 'allow them: `sysctl kernel.apparmor_restrict_unprivileged_userns=0` or an AppArmor profile for bwrap (Ubuntu), `sysctl kernel.unprivileged_userns_clone=1` (Debian), `sysctl user.max_user_namespaces=10000`; inside a container, start it with the rights to make namespaces',
  };
};
