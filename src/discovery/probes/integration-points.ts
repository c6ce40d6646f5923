import { personalGit } from '../../base/process/git-environment.ts';
import { runTool } from '../../base/process/run-tool.ts';
import type { Finding } from '../records/finding.ts';
import { createLookAtHost } from './look-at-host.io.ts';
import { type Probe, type ProbeContext, probeFinding } from './probe.ts';

const name = 'integration-points';

/** Checks tools and logins for work on this project: git host, secrets, keys, and programs that agents often use. */
export const integrationPoints: Probe = {
  name,
  find: async (context) => {
    const remote = await remoteOf(context);
    const parts = [
      optionalTools(context),
      ...(context.offline
        ? []
        : [
            github(context, remote),
            keys(context, remote),
            host(context, remote),
            doppler(context),
            onePassword(context),
          ]),
    ];
    return (await Promise.all(parts)).flat();
  },
};

interface Remote {
  readonly host: string;
  readonly port: number;
  readonly ssh: boolean;
}

const remoteOf = async ({ ports, place }: ProbeContext): Promise<Remote | null> => {
  const argv = ['git', '-c', 'core.fsmonitor=false', 'config', '--get', 'remote.origin.url'];
  const inherit = Object.keys(personalGit(ports.env));
  const { ok, out } = await runTool(ports, place, { argv, timeoutMs: 5_000, inherit });
  return ok ? parseRemote(out.trim()) : null;
};

/** Host and port of `https://host/x`, `ssh://git@host:2222/x` and `git@host:x`. `null` for a path. */
export const parseRemote = (url: string): Remote | null => {
  const full = /^(https?|ssh|git):\/\/(?:[^@/]*@)?([A-Za-z0-9.-]+)(?::(\d{1,5}))?(?:\/|$)/.exec(url);
  if (full) {
    const [, scheme = '', hostName = '', port] = full;
    const usual: Readonly<Record<string, number>> = { https: 443, http: 80, ssh: 22, git: 9418 };
    return { host: hostName, port: Number(port ?? usual[scheme] ?? 443), ssh: scheme === 'ssh' };
  }
  const short = /^(?:[\w.-]+@)?([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+):(?!\/\/)/.exec(url);
  return short?.[1] === undefined ? null : { host: short[1], port: 22, ssh: true };
};

const optionalTools = async ({ tool }: ProbeContext): Promise<readonly Finding[]> => {
  const wanted = [
    { programs: ['git'], severity: 'medium' as const, use: 'it is needed to detect and record changes' },
    { programs: ['jq'], severity: 'low' as const, use: 'agents use it to read JSON' },
  ];
  const looks = wanted.map(async ({ programs, severity, use }): Promise<readonly Finding[]> => {
    const results = await Promise.all(programs.map((program) => tool([program, '--version'])));
    if (results.some(({ exit }) => exit.kind !== 'not-started')) return [];
    const [program = ''] = programs;
    return [
      probeFinding(name, {
        category: 'optional_tool',
        severity,
        value: program,
        description: `${program} is not installed; ${use}`,
        recommendation: `Install ${program}`,
      }),
    ];
  });
  return (await Promise.all(looks)).flat();
};

const login = (value: string, description: string, recommendation: string): readonly Finding[] => [
  probeFinding(name, { category: 'login', severity: 'medium', value, description, recommendation }),
];

const github = async ({ tool }: ProbeContext, remote: Remote | null): Promise<readonly Finding[]> => {
  if (remote === null || !/(?:^|\.)github\./.test(remote.host)) return [];
  const { exit, ok } = await tool(['gh', 'auth', 'status'], ['GH_TOKEN', 'GITHUB_TOKEN', 'GH_CONFIG_DIR']);
  if (exit.kind === 'not-started')
    return [
      probeFinding(name, {
        category: 'optional_tool',
        severity: 'low',
        value: 'gh',
        description: 'gh is not installed; pull requests and issues need it',
        recommendation: 'Install gh: https://cli.github.com',
      }),
    ];
  return ok ? [] : login('gh', 'gh is not logged in, or did not respond', 'Run `gh auth login`');
};

const keys = async ({ tool }: ProbeContext, remote: Remote | null): Promise<readonly Finding[]> => {
  if (remote?.ssh !== true) return [];
  const { exit, ok } = await tool(['ssh-add', '-l']);
  if (exit.kind === 'not-started' || ok) return [];
  return login('ssh-add', `The SSH agent has no key for ${remote.host}`, 'Run `ssh-add` before the session');
};

const hostTimeoutMs = 2_000;

const host = async ({ ports, place }: ProbeContext, remote: Remote | null): Promise<readonly Finding[]> => {
  if (remote === null) return [];
  const look = createLookAtHost(ports.clock);
  if (await look(remote.host, remote.port, hostTimeoutMs, place.signal)) return [];
  return [
    probeFinding(name, {
      category: 'network',
      severity: 'medium',
      value: remote.host,
      description: `${remote.host} (the remote) does not answer on port ${remote.port}`,
      recommendation: 'Expect fetch, push and installs to fail, or forbid them',
    }),
  ];
};

const doppler = async ({ tool, has }: ProbeContext): Promise<readonly Finding[]> => {
  if (!has('doppler.yaml') && !has('.doppler.yaml')) return [];
  const { ok } = await tool(['doppler', 'me', '--json'], ['DOPPLER_TOKEN', 'DOPPLER_CONFIG_DIR']);
  return ok ? [] : login('doppler', 'Doppler is not installed or not logged in', 'Run `doppler login`');
};

/** Skipped with the desktop application, which would ask for a fingerprint. */
const onePassword = async ({ tool, read, ports }: ProbeContext): Promise<readonly Finding[]> => {
  const refers = ['.env', '.env.example', '.envrc', '.env.op'].some((file) => read(file)?.includes('op://'));
  if (!refers || ports.env['OP_BIOMETRIC_UNLOCK_ENABLED'] === 'true') return [];
  const { ok } = await tool(['op', 'whoami'], ['OP_SERVICE_ACCOUNT_TOKEN', 'OP_BIOMETRIC_UNLOCK_ENABLED']);
  return ok ? [] : login('op', '1Password is not installed or not signed in', 'Run `op signin`');
};
