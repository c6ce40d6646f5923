import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processesWith, type SshMachine, startSshMachine } from '../helpers/ssh-machine.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import type { RealAgent } from './agents/real-agent.ts';
import { agentCache } from './agents.ts';
import { type AgentEntry, createProgramWorld, type ProgramWorld, realEntry } from './program-world.ts';
import { openTlsFront } from './tls-front.ts';
import { processes } from './world.ts';

/** This machine, another one over a real sshd, and a fence of bubblewrap. */
export type PlaceName = 'local' | 'gpu' | 'jail';

/** Where a real agent works, and how a test looks at it. */
export interface AgentPlace {
  readonly world: ProgramWorld;
  /** The other machine; `null` where there is none. */
  readonly machine: SshMachine | null;
  /** The directory of the gates as the agent names it, and as the test does. */
  readonly gates: string;
  readonly gatesHere: () => string;
  /** What the agent tries before its work, as a shell command that ends with `;`. It writes `tried.txt`. */
  readonly tries: string;
  /** What `tried.txt` has a line for. */
  readonly tried: readonly string[];
  /** The agent and the runners of the configuration. */
  readonly open: (
    modelUrl: string,
  ) => Promise<{ readonly entry: AgentEntry; readonly runners: Readonly<Record<string, object>> }>;
  /** Processes that work there. */
  readonly worksAt: () => readonly number[];
}

export const openPlace = (agent: RealAgent, name: PlaceName): Promise<AgentPlace> =>
  name === 'jail' ? openJail(agent) : openMachine(agent, name);

const openMachine = async (agent: RealAgent, name: 'local' | 'gpu'): Promise<AgentPlace> => {
  const machine = await startSshMachine();
  const world = createProgramWorld({ PATH: `${machine.path}:${process.env['PATH']}` });
  const gates = join(world.home, 'gates');
  return {
    world,
    machine,
    gates,
    gatesHere: () => gates,
    tries: '',
    tried: [],
    open: async (modelUrl) => ({
      entry: realEntry(agent, world.home, modelUrl),
      runners: { gpu: { ssh: 'gpu1', command: machine.command } },
    }),
    worksAt: () => (name === 'gpu' ? processesWith(machine.state) : world.agents().map(({ pid }) => pid)),
  };
};

/**
 * The program that npm installed, with everything it needs in one directory: that is what a fence lets in. It trusts the certificate in its work tree, by
 * variables that no configuration may set.
 */
const installed = ({ name, args }: RealAgent): readonly string[] => {
  const programs = join(agentCache, name, 'node_modules/.bin');
  const own = join(programs, `${name}-trusting`);
  const program = name === 'codex' ? 'codex-acp' : name;
  writeFileSync(
    own,
    `#!/bin/sh\nexport NODE_EXTRA_CA_CERTS=ca.pem SSL_CERT_FILE="$PWD/ca.pem"\nexec "${programs}/${program}" "$@"\n`,
    { mode: 0o755 },
  );
  return [own, ...args];
};

const openJail = async (agent: RealAgent): Promise<AgentPlace> => {
  const state = tempDir();
  const world = createProgramWorld({ XDG_STATE_HOME: state, SECRET_TOKEN: 'hunter2' });
  const { home, workspace } = world;
  const put = (path: string, text: string): void => {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  put('.ssh/id_ed25519', 'a key\n');
  put('other/secret.txt', 'another repository\n');
  const fences = join(state, 'ralph-tui/fences');
  const tries: Readonly<Record<string, string>> = {
    'ssh key': `cat ${home}/.ssh/id_ed25519`,
    'own ssh': 'ls ~/.ssh',
    'other repository': `cat ${home}/other/secret.txt`,
    'our state': `ls ${state}`,
    docker: 'ls /var/run/docker.sock',
    'another machine': 'curl -sS --max-time 5 https://example.com',
    'the model, past the proxy': "curl -sS --noproxy '*' --max-time 5 https://127.0.0.2",
    variables: 'env | grep -a hunter2',
    'later hook': 'ls .git/hooks/post-checkout',
  };
  const lines = Object.entries(tries).map(
    ([what, command]) =>
      `{ printf '${what}: '; ${command} 2>/dev/null | head -c 60 | grep . || echo nothing; } >> tried.txt;`,
  );
  return {
    world,
    machine: null,
    gates: '/home/agent/gates',
    gatesHere: () =>
      join(fences, existsSync(fences) ? (readdirSync(fences)[0] ?? 'none') : 'none', 'home/gates'),
    tries: lines.join(' '),
    tried: Object.keys(tries),
    open: async (modelUrl) => {
      const front = await openTlsFront(workspace, modelUrl);
      for (const args of [
        ['add', 'ca.pem'],
        ['commit', '-qm', 'Add the certificate'],
      ])
        execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], {
          cwd: workspace,
        });
      const {
        HOME: _,
        CODEX_HOME: __,
        ...env
      } = agent.settle(home, `https://${front}`) as Record<string, string>;
      return {
        entry: {
          type: 'acp',
          profile: agent.name,
          command: installed(agent),
          env,
        },
        runners: { jail: { sandbox: 'bwrap', slots: 1, network: 'model', hosts: [front] } },
      };
    },
    worksAt: () => processes().flatMap(({ pid, command }) => (command.includes(fences) ? [pid] : [])),
  };
};
