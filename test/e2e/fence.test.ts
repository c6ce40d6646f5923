import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { canFence } from '../helpers/can-fence.ts';
import { runProgram, startProgram } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { writeIn } from '../helpers/workspace.ts';

// In CI a missing bubblewrap is a failure, not a reason to skip.
const inFence = process.env['CI'] || canFence() ? test : test.skip;
if (!canFence())
  process.stdout.write('skipped: fences (bubblewrap is not installed, or may not make namespaces)\n');

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
    cwd,
    encoding: 'utf8',
  }).trim();

/** A repository with a plan of these commands, a home with secrets, and a fence. */
const fenced = (
  commands: (at: {
    readonly home: string;
    readonly other: string;
    readonly state: string;
  }) => readonly string[],
  network: string,
) => {
  const cwd = tempDir();
  const home = tempDir();
  const other = tempDir();
  const state = tempDir();
  writeIn(home, '.ssh/id_ed25519', 'a key\n');
  writeIn(home, 'config/ralph-tui/config.yaml', `runners: {jail: {sandbox: bwrap, ${network}}}\n`);
  writeIn(other, 'secret.txt', 'another repository\n');
  writeIn(state, 'ralph-tui/trust.json', 'our state\n');
  const run = commands({ home, other, state });
  writeIn(cwd, 'plan.yaml', `goal: x\ntasks: [{id: a, title: A, run: ${JSON.stringify(run)}}]\n`);
  git(cwd, 'init', '--quiet', '--initial-branch=main');
  git(cwd, 'add', '.');
  git(cwd, 'commit', '--quiet', '-m', 'first');
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: state,
    SECRET_TOKEN: 'hunter2',
  };
  const start = () =>
    runProgram(['run', '--plan', 'plan.yaml', '--on', 'jail', '--at-end', 'keep', '--headless'], {
      cwd,
      env,
    });
  const got = (file: string): string =>
    git(cwd, 'show', `${git(cwd, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/ralph/')}:${file}`);
  return { cwd, state, start, got };
};

inFence('what a fenced agent tries, and what it gets', async () => {
  const { cwd, state, start, got } = fenced(
    ({ home, other, state: own }) => [
      // One line for each try: what it got, or `nothing`.
      `try() { name=$1; shift; { printf '%s: ' "$name"; "$@" 2>/dev/null || echo nothing; } >> tried.txt; }
       try ssh-key cat ${home}/.ssh/id_ed25519
       try home-ssh ls ~/.ssh
       try other-repository cat ${other}/secret.txt
       try our-state ls ${own}
       try docker ls /var/run/docker.sock
       try run-sockets sh -c 'ls /run | grep .'
       try shadow sh -c 'grep root /etc/shadow'
       try host-keys sh -c 'cat /etc/ssh/ssh_host_*_key /etc/ssl/private/* | grep .'
       try network sh -c 'ip -o link 2>/dev/null | grep -v " lo:" || grep -v "lo:" /proc/net/dev | grep :'
       try environment sh -c 'env | grep hunter2'
       try processes sh -c 'ls /proc | grep -c "^[0-9]*$" | awk "{ if (\\$1 > 20) print; else exit 1 }"'
       try write-usr sh -c 'echo x > /usr/bin/later && echo written'
       try write-etc sh -c 'echo x > /etc/profile.d/later.sh && echo written'
       try setuid sh -c 'unshare -m true && mount --bind / /mnt && echo mounted'
       try kernel-settings sh -c 'for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /proc/sys/vm/drop_caches /proc/sysrq-trigger; do (exec 3>>$f) && echo $f; done | grep .'
       try kernel-tables sh -c 'cat /proc/keys /proc/kallsyms /proc/timer_list /proc/kmsg /proc/iomem | grep .'
       try own-only sh -c 'cat /usr/local/share/ralph-own-only.test /opt/*'
       try rest-of-root sh -c 'ls / | grep -E "^(root|opt|srv|var|mnt|media|boot|sys)$"'
       try accounts sh -c 'grep -v -E "^(root|agent):" /etc/passwd'
       try etc-rest sh -c 'ls /etc | grep -E "^(shadow|gshadow|ssh|gitconfig|sudoers|cron.d|systemd|npmrc)$"'
       try other-roots sh -c 'for d in /proc/[0-9]*; do ls $d/root/.. 2>/dev/null | grep -x -E "root|work"; done | grep .'
       try abstract-sockets sh -c 'grep -a @ /proc/net/unix'
       try new-namespace sh -c 'unshare -Urm sh -c "umount -l /proc/sys || mount -t proc proc /proc" && echo unmasked'
       try device sh -c 'mknod disk b 254 0 && echo made'
       try capabilities sh -c 'grep -E "^Cap(Prm|Eff|Amb)" /proc/self/status | grep -v 0000000000000000'
       try alternates sh -c 'cat .git/objects/info/alternates | grep -v "^/runner/"'
       try own-home sh -c 'echo x > ~/note && echo written'
       try work-tree sh -c 'echo x > here.txt && echo written'`.replaceAll('\n       ', '\n'),
      "mkdir -p .git/hooks; printf '#!/bin/sh\\ntouch /tmp/later\\n' > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout",
    ],
    'network: none',
  );
  if (process.getuid?.() === 0) {
    const own = '/usr/local/share/ralph-own-only.test';
    writeFileSync(own, 'own\n', { mode: 0o600 });
    onTestFinished(() => rmSync(own, { force: true }));
  }
  // A host that was killed left a home behind; one that lives has another.
  const left = { boot: 'before the reboot', pidNamespace: 'x', pid: 1, startTime: '1', machine: hostname() };
  writeIn(state, 'ralph-tui/fences/0011/owner.json', JSON.stringify(left));
  writeIn(state, 'ralph-tui/fences/0011/home/.gemini/oauth_creds.json', 'a login');
  const run = await start();
  expect(run.stderr).toBe('');
  expect(run.code).toBe(0);
  expect(got('tried.txt').split('\n')).toEqual([
    'ssh-key: nothing',
    'home-ssh: nothing',
    'other-repository: nothing',
    'our-state: nothing',
    'docker: nothing',
    'run-sockets: nothing',
    'shadow: nothing',
    'host-keys: nothing',
    'network: nothing',
    'environment: nothing',
    'processes: nothing',
    'write-usr: nothing',
    'write-etc: nothing',
    'setuid: nothing',
    'kernel-settings: nothing',
    'kernel-tables: nothing',
    'own-only: nothing',
    'rest-of-root: nothing',
    'accounts: nothing',
    'etc-rest: nothing',
    'other-roots: nothing',
    'abstract-sockets: nothing',
    'new-namespace: nothing',
    'device: nothing',
    'capabilities: nothing',
    'alternates: nothing',
    'own-home: written',
    'work-tree: written',
  ]);
  // The hook stayed in the clone, which is gone, and so is the home.
  expect(readdirSync(join(cwd, '.git/hooks')).filter((name) => name === 'post-checkout')).toEqual([]);
  expect(readdirSync(join(state, 'ralph-tui/fences'))).toEqual([]);
});

inFence('network: model reaches the listed machines through the proxy and no other', async () => {
  const listens = async (): Promise<number> => {
    const server = createServer((_request, response) => response.end('the model'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };
  const port = await listens();
  const other = await listens();
  // CONNECT also for http, as an agent does it with TLS.
  const ask = (target: string): string =>
    `node -e 'const u=new URL(process.env.HTTPS_PROXY);require("http").request({host:u.hostname,port:u.port,method:"CONNECT",path:"${target}"}).on("connect",(r,s)=>{console.log(r.statusCode);s.end();process.exit()}).on("error",(e)=>console.log(e.code)).end()' >> net.txt`;
  const { start, got } = fenced(
    () => [
      ask(`127.0.0.1:${port}`),
      ask('example.com:443'),
      // A port of the machine's loopback that is listed is open inside, and no other.
      `node -e 'fetch("http://127.0.0.1:${port}").then((r)=>r.text()).then(console.log,(e)=>console.log(e.cause.code))' >> net.txt`,
      `node -e 'require("net").connect(${other},"127.0.0.1").on("error",(e)=>console.log(e.code)).on("connect",()=>console.log("reached"))' >> net.txt`,
    ],
    `network: model, hosts: ["127.0.0.1:${port}"]`,
  );
  const run = await start();
  expect(run.stderr).toBe('');
  expect(run.code).toBe(0);
  expect(got('net.txt').split('\n')).toEqual(['200', '403', 'the model', 'ECONNREFUSED']);
});

inFence('an agent in ~/.local/bin works in a fence, which shows nothing else of ~/.local', async () => {
  const cwd = tempDir();
  const home = tempDir();
  const state = join(home, '.local/state');
  const program = `#!/bin/sh
cat > /dev/null
{ cat ${home}/.local/share/keyrings/login || echo no keyring; ls ${state} || echo no state; ls ${home}/.local/bin; cat ~/.qwen/settings.json; echo; cat ~/.codex/auth.json; echo; env | grep CODEX_HOME || echo no variable; } > got.txt 2>/dev/null
echo '{"status":"completed","success_criteria_met":true}'
`;
  writeIn(home, '.local/share/mine/versions/1.0', program);
  chmodSync(join(home, '.local/share/mine/versions/1.0'), 0o755);
  mkdirSync(join(home, '.local/bin'));
  symlinkSync('../share/mine/versions/1.0', join(home, '.local/bin/mine'));
  writeIn(home, '.local/bin/other', 'another program\n');
  writeIn(home, '.local/share/keyrings/login', 'a password\n');
  writeIn(
    home,
    '.qwen/settings.json',
    '{"model":{"name":"m"},"mcpServers":{"x":{"env":{"TOKEN":"hunter2"}}}}',
  );
  // Codex keeps its login where a variable says.
  writeIn(home, 'elsewhere/auth.json', '{"login":"of codex"}');
  writeIn(
    home,
    'config/ralph-tui/config.yaml',
    'runners: {jail: {sandbox: bwrap, network: none}}\nagents: {mine: {type: command, command: [mine]}, qwen: {type: acp, profile: qwen}, codex: {type: acp, profile: codex}}\n',
  );
  writeIn(cwd, 'plan.yaml', 'goal: x\ntasks: [{id: a, title: A, objective: Do it., agent: mine}]\n');
  git(cwd, 'init', '--quiet', '--initial-branch=main');
  git(cwd, 'add', '.');
  git(cwd, 'commit', '--quiet', '-m', 'first');
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: state,
    CODEX_HOME: join(home, 'elsewhere'),
    PATH: `${join(home, '.local/bin')}:${process.env['PATH']}`,
  };
  const words = ['--on', 'jail', '--permissions', 'all', '--at-end', 'keep', '--headless', '--no-discovery'];
  const run = await runProgram(['run', '--plan', 'plan.yaml', ...words], { cwd, env });
  expect(run.stderr).toBe('');
  expect(run.code).toBe(0);
  const branch = git(cwd, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/ralph/');
  expect(git(cwd, 'show', `${branch}:got.txt`).split('\n')).toEqual([
    'no keyring',
    'no state',
    'mine',
    '{"model":{"name":"m"}}',
    '{"login":"of codex"}',
    'no variable',
  ]);
});

/** A plan whose second task is half done when it waits for a gate, which the fence sees. */
const gatedFence = () => {
  const [cwd, home, state, gate] = [tempDir(), tempDir(), tempDir(), tempDir()];
  chmodSync(gate, 0o755);
  writeIn(
    home,
    'ralph-tui/config.yaml',
    `runners: {jail: {sandbox: bwrap, network: model, tools: ["${gate}"]}}\n`,
  );
  writeIn(
    cwd,
    'plan.yaml',
    `goal: x
tasks:
  - {id: first, title: First, run: ['echo first > first.txt']}
  - {id: second, title: Second, blockedBy: [first], run: ['echo half > half.txt', 'until test -e ${gate}/open; do sleep 0.1; done; echo second >> second.txt']}
`,
  );
  git(cwd, 'init', '--quiet', '--initial-branch=main');
  git(cwd, 'add', '.');
  git(cwd, 'commit', '--quiet', '-m', 'first');
  const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: state };
  const words = ['--on', 'jail', '--at-end', 'keep', '--headless'];
  const host = startProgram(['run', '--plan', 'plan.yaml', ...words], { cwd, env });
  const waits = async (): Promise<void> => {
    await host.waitFor(/second \$ until test/u);
    await expect.poll(() => processesNaming(gate).length).toBeGreaterThan(1);
  };
  /** The work was done once, what was half done lies beside it, and nothing is left behind. */
  const isWhole = (stdout: string): void => {
    const branch = git(cwd, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/ralph/');
    expect(git(cwd, 'show', `${branch}:first.txt`)).toBe('first');
    expect(git(cwd, 'show', `${branch}:second.txt`)).toBe('second');
    expect(git(cwd, 'log', '--format=%s', `main..${branch}`, '--', 'first.txt').split('\n')).toHaveLength(1);
    const late = git(cwd, 'for-each-ref', '--format=%(refname)', 'refs/ralph/late');
    expect(git(cwd, 'show', `${late}:half.txt`)).toBe('half');
    expect(stdout).toContain(`runner jail delivered late work from second: kept in ${late}`);
    for (const left of ['fences', 'fenced-work'])
      expect(readdirSync(join(state, 'ralph-tui', left))).toEqual([]);
  };
  const open = (): void => writeIn(gate, 'open', '');
  return { cwd, state, gate, env, words, host, waits, isWhole, open };
};

inFence(
  'a killed host leaves nothing running behind its fence; the next one brings what was half done and does the work once',
  async () => {
    const { cwd, state, gate, env, words, host, waits, isWhole, open } = gatedFence();
    await waits();
    host.kill('SIGKILL');
    await host.done;
    // The fence itself, what runs inside and its proxy end with the host.
    await expect.poll(() => processesNaming(gate)).toEqual([]);
    expect(readdirSync(join(state, 'ralph-tui/fences'))).toHaveLength(1);
    open();
    const resumed = await runProgram(['resume', ...words], { cwd, env });
    expect(resumed.code).toBe(0);
    isWhole(resumed.stdout);
  },
);

inFence('a killed fence: the next attempt does the work once, and what was half done comes', async () => {
  const { state, host, waits, isWhole, open } = gatedFence();
  await waits();
  // A git that it is just starting still has its name.
  const programs = processesNaming('/.ralph/program/ralph-tui.js runner --stdio').filter(
    (pid) => textOf(pid, 'environ').includes(state) && !textOf(pid, 'cmdline').startsWith('bwrap'),
  );
  expect(programs).not.toEqual([]);
  open();
  execFileSync('sh', ['-c', 'kill -9 "$@" 2>/dev/null || true', 'sh', ...programs]);
  const { code, stdout } = await host.done;
  expect(stdout).toMatch(/it was restarted and has lost its work|the sandbox ended/u);
  expect(code).toBe(0);
  isWhole(stdout);
});

const textOf = (pid: string, file: 'cmdline' | 'environ'): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};

/** Processes with these words in their command line. */
const processesNaming = (words: string): readonly string[] =>
  readdirSync('/proc').filter((name) => /^\d+$/u.test(name) && textOf(name, 'cmdline').includes(words));

/** A plan whose task is done in a fence, and checked with what `worktree.setup` makes. */
const checked = (on: string, verify: string) => {
  const [cwd, home, outside] = [tempDir(), tempDir(), tempDir()];
  writeIn(
    home,
    'ralph-tui/config.yaml',
    `runners: {jail: {sandbox: bwrap, network: none}}
on: ${on}
worktree: {setup: ['mkdir -p node_modules'], teardown: ['echo "$RALPH_TASK" >> ${outside}/down']}
retries: {max_attempts: 1}
`,
  );
  writeIn(cwd, '.gitignore', 'node_modules\n.ralph-sessions/\n');
  writeIn(cwd, 'check.sh', 'true\n');
  // What the agent writes tries to write outside, and to look into the program that reports the result.
  const look = `for d in /proc/[0-9]*; do grep -q ^/.ralph/bin/node $d/cmdline && head -c 1 $d/environ && exit 1; done 2>/dev/null`;
  const run = `echo 'touch ${outside}/escaped; ${look}; true' > check.sh; test -d node_modules && pwd > where.txt`;
  const task = { id: 'a', title: 'A', run: [run], verify: [verify.replaceAll('OUTSIDE', outside)] };
  writeIn(cwd, 'plan.yaml', `goal: x\ntasks: [${JSON.stringify(task)}]\n`);
  git(cwd, 'init', '--quiet', '--initial-branch=main');
  git(cwd, 'add', '.');
  git(cwd, 'commit', '--quiet', '-m', 'first');
  const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: tempDir() };
  const start = () => runProgram(['run', '--plan', 'plan.yaml', '--at-end', 'keep', '--json'], { cwd, env });
  return { outside, start };
};

const verifyIn = 'test -d node_modules && sh check.sh';

inFence(
  'what a fenced agent wrote is set up and verified on its merge in a fence, and nothing of it runs here',
  async () => {
    const { outside, start } = checked('{executor: jail}', verifyIn);
    const run = await start();
    expect(run.code, run.stdout + run.stderr).toBe(0);
    expect(readdirSync(outside)).toEqual([]);
    expect(run.stdout).not.toContain('"worktree.set-up"');
    // The record names the place of every proof: commands alone review this task, so they run once, on its merge.
    expect(run.stdout.match(/"mode":"TASK_REVIEW","backend"/gu)).toHaveLength(1);
    expect(run.stdout).toMatch(
      /"type":"attempt\.merged".*"mode":"TASK_REVIEW","backend":"script","runner":"jail"/su,
    );
    // The work and its proof were each set up in a fence of their own.
    expect(run.stdout.match(/"type":"command.started","index":0,"of":1,"purpose":"setup"/gu)).toHaveLength(2);
  },
);

inFence('a configuration that places reviews here in so many words has them here', async () => {
  const verify = 'test -d node_modules && pwd >> OUTSIDE/verified';
  const { outside, start } = checked('{executor: jail, reviewer: local}', verify);
  const run = await start();
  expect(run.code, run.stdout + run.stderr).toBe(0);
  // On this machine, in a worktree where the fenced agent did not work; commands alone review it, so only on its merge.
  const places = readFileSync(join(outside, 'verified'), 'utf8').trim().split('\n');
  expect(places).toEqual([expect.stringMatching(/\/worktrees\/.*\/check\.0$/u)]);
  expect(run.stdout.match(/"type":"command\.started".*"purpose":"setup"/gu)).toHaveLength(2);
  expect(readFileSync(join(outside, 'down'), 'utf8')).toBe('a\n');
});

inFence(
  'no filter of this machine sees what a fence returned, and nothing asks the address that it names',
  async () => {
    const [cwd, home, out] = [tempDir(), tempDir(), tempDir()];
    writeIn(home, 'ralph-tui/config.yaml', 'runners: {jail: {sandbox: bwrap, network: none}}\n');
    // A filter as git-lfs is one, and a merge driver, both of the person's own configuration.
    const program = `cat; echo ran >> ${out}/ran`;
    git(cwd, 'config', '--file', join(home, '.gitconfig'), 'filter.lfs.smudge', program);
    git(cwd, 'config', '--file', join(home, '.gitconfig'), 'filter.lfs.clean', program);
    git(cwd, 'config', '--file', join(home, '.gitconfig'), 'filter.a=b.smudge', program);
    git(cwd, 'config', '--file', join(home, '.gitconfig'), 'filter.lfs.required', 'true');
    const run =
      "printf '*.bin filter=lfs\\n*.dat filter=a=b\\n' > .gitattributes; echo pointer > x.bin; echo y > y.dat";
    const task = { id: 'a', title: 'A', run: [run], verify: ['grep pointer x.bin'] };
    writeIn(cwd, 'plan.yaml', `goal: x\ntasks: [${JSON.stringify(task)}]\n`);
    git(cwd, 'init', '--quiet', '--initial-branch=main');
    git(cwd, 'add', '.');
    git(cwd, 'commit', '--quiet', '-m', 'first');
    const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: tempDir() };
    const words = ['--on', 'jail', '--at-end', 'merge', '--headless'];
    const ended = await runProgram(['run', '--plan', 'plan.yaml', ...words], { cwd, env });
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(readFileSync(join(cwd, 'x.bin'), 'utf8')).toBe('pointer\n');
    expect(readdirSync(out)).toEqual([]);
  },
);

inFence('a process that a fenced agent leaves behind is gone when its attempt is verified', async () => {
  const { cwd, start, got } = fenced(
    () => [
      "printf 'still flaky\\n' > flaky.md; (env -i PATH=$PATH own=$PWD setsid sh -c 'while test -e $own; do sleep 0.02; done; while sleep 0.02; do for f in $(find /runner /tmp /home -name flaky.md 2>/dev/null); do echo fixed > $f; done; done' >/dev/null 2>&1 </dev/null &)",
    ],
    'network: none',
  );
  const task = readFileSync(join(cwd, 'plan.yaml'), 'utf8').replace(
    '}]',
    ", verify: ['sleep 0.5; ! grep -q fixed flaky.md']}]",
  );
  writeIn(cwd, 'plan.yaml', task);
  git(cwd, 'commit', '--quiet', '-am', 'verify');
  const run = await start();
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(got('flaky.md')).toBe('still flaky');
});

inFence('doctor says what a fence does not hold', async () => {
  const cwd = tempDir();
  const home = tempDir();
  writeIn(home, 'ralph-tui/config.yaml', 'runners: {jail: {sandbox: bwrap, network: none}}\n');
  const env = { XDG_CONFIG_HOME: home, XDG_STATE_HOME: tempDir() };
  const { code, stdout } = await runProgram(['doctor', '--runner', 'jail'], { cwd, env });
  expect(code).toBe(0);
  expect(stdout.replace(/\s+/g, ' ')).toMatch(
    /runner jail: sandbox\s+network: none; not restricted: memory, disk and processes; reading system programs, their settings in \/etc and the directories of `tools:`; it ends with the work of the agent/u,
  );
});
