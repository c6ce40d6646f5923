import { execFileSync } from 'node:child_process';
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sandboxFault } from '../../src/runners/carriers/sandbox.io.ts';
import { accountsInside } from '../../src/runners/fence/accounts-inside.ts';
import { isAllowedHost } from '../../src/runners/fence/allowed-host.ts';
import { bwrapCommand, type Fence } from '../../src/runners/fence/bwrap-command.ts';
import { closedPaths } from '../../src/runners/fence/closed-paths.io.ts';
import { loginPart } from '../../src/runners/fence/login-part.ts';
import { joinProxy, openProxy } from '../../src/runners/fence/proxy.io.ts';
import { systemPlaces } from '../../src/runners/fence/system-paths.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { writeIn } from '../helpers/workspace.ts';

test('the fence has every namespace, a home of its own, and no shared network unless it is asked for', () => {
  const fence = {
    node: '/n/node',
    program: '/p',
    home: '/h',
    work: '/w',
    programs: [],
    accounts: '/a',
    system: { paths: ['/usr/bin'], links: [{ file: '/bin', real: '/usr/bin' }] },
    closed: { files: ['/usr/bin/own'], directories: ['/usr/lib/own'] },
    proc: { files: ['/proc/keys'], directories: ['/proc/acpi'], readOnly: ['/proc/sys'] },
    lowerTo: null,
    tools: ['/t'],
    proxy: '/x',
    network: 'model',
  } as const;
  const words = bwrapCommand(fence);
  expect(words.slice(0, 4)).toEqual(['bwrap', '--unshare-all', '--new-session', '--die-with-parent']);
  expect(words).not.toContain('--share-net');
  expect(bwrapCommand({ ...fence, network: 'on', proxy: null })).toContain('--share-net');
  expect(words.join(' ')).toContain(
    '--bind /h /home/agent --bind /w /runner --remount-ro / --chdir /home/agent',
  );
  expect(words.join(' ')).toContain('--ro-bind-try /usr/bin /usr/bin --symlink /usr/bin /bin');
  expect(words.join(' ')).toContain('--ro-bind /dev/null /usr/bin/own --tmpfs /usr/lib/own --proc');
  expect(words.join(' ')).toContain(
    '--ro-bind /proc/sys /proc/sys --ro-bind /dev/null /proc/keys --tmpfs /proc/acpi --remount-ro /proc/acpi',
  );
  // Nothing else of the root, and nothing of /etc by itself.
  const bound = words.filter((_, at) =>
    ['--ro-bind', '--ro-bind-try', '--bind'].includes(words[at - 1] ?? ''),
  );
  expect(bound.filter((path) => /^\/(?:etc|opt|usr|var|srv|root|home)?$/u.test(path))).toEqual([]);
  // A program below the machine's /tmp is seen in the private one.
  expect(words.join(' ')).toMatch(/--tmpfs \/tmp .*--ro-bind \/t \/t /);
});

test('root makes a fence without a user namespace, in which its id would stay, and our program lowers itself', () => {
  const fence = { ...bare, lowerTo: 1_900_000_000 };
  expect(bwrapCommand(fence).join(' ')).toMatch(/ runner --stdio --in \/runner --lower-to 1900000000$/u);
  expect(bwrapCommand(fence)).not.toContain('--unshare-all');
  expect(bwrapCommand(fence)).toContain('--unshare-net');
  expect(bwrapCommand({ ...fence, network: 'on' })).not.toContain('--unshare-net');
  expect(bwrapCommand(fence).join(' ')).toContain('--cap-drop ALL');
});

test('a place of the system that is a link is one inside, unless it leads out of the system', () => {
  const reals: Readonly<Record<string, string>> = {
    '/bin': '/usr/bin',
    '/usr/bin': '/usr/bin',
    '/usr/local/lib': '/data/lib',
  };
  expect(systemPlaces((path) => reals[path] ?? null)).toEqual({
    paths: ['/usr/bin', '/usr/local/lib'],
    links: [{ file: '/bin', real: '/usr/bin' }],
  });
});

test('a fence names its own accounts only', () => {
  const { passwd, group } = accountsInside(1000);
  expect(passwd).toContain('agent:x:1000:1000:agent:/home/agent:/bin/sh\n');
  expect(passwd.split('\n')).toHaveLength(3);
  expect(group).toContain('agent:x:1000:\n');
});

test('a file that the shell before us left open is closed before a fence begins', () => {
  const secret = join(tempDir(), 'secret');
  writeFileSync(secret, 'x');
  const module = new URL('../../src/runners/fence/machine-view.io.ts', import.meta.url).href;
  const show = `require('node:child_process').execFileSync('readlink',['/proc/self/fd/200'],{encoding:'utf8',stdio:['ignore','pipe','ignore']})`;
  const look = `const seen=()=>{try{return ${show}.trim()}catch{return 'none'}};`;
  const program = `${look}console.log(seen());import(${JSON.stringify(module)}).then((m)=>{m.closeInherited();console.log(seen())})`;
  const shell = ['-c', 'exec 200<"$1"; exec "$2" -e "$3"', 'bash', secret, process.execPath, program];
  const said = execFileSync('bash', shell, { encoding: 'utf8' });
  expect(said.split('\n').slice(0, 2)).toEqual([secret, 'none']);
});

test('a sandbox that may not be made says what is missing and what to do', () => {
  const uid = sandboxFault(
    'jail',
    { kind: 'exited', code: 1 },
    'bwrap: setting up uid map: Permission denied\n',
  );
  expect(uid.what).toBe(
    'this system does not let bwrap make the namespaces of a sandbox: bwrap: setting up uid map: Permission denied',
  );
  expect(uid.hint).toMatch(/apparmor_restrict_unprivileged_userns=0.*unprivileged_userns_clone=1/u);
  const none =
    'bwrap: No permissions to create new namespace, likely because the kernel does not allow it. Operation not permitted';
  expect(sandboxFault('jail', { kind: 'exited', code: 1 }, none).code).toBe('no-namespaces');
  const other = sandboxFault('jail', { kind: 'exited', code: 1 }, 'ralph-tui: unknown option\n');
  expect(other).toMatchObject({ code: 'runner-ended', what: 'the sandbox ended: ralph-tui: unknown option' });
});

test('what not every account may read is found, whatever is there', () => {
  const root = tempDir();
  for (const [path, mode] of [
    ['open/all.conf', 0o644],
    ['open/own.key', 0o600],
    ['open/group.key', 0o640],
    ['closed/all.conf', 0o644],
  ] as const) {
    writeIn(root, path, 'x');
    chmodSync(join(root, path), mode);
  }
  chmodSync(join(root, 'closed'), 0o710);
  symlinkSync('own.key', join(root, 'open/link'));
  expect(closedPaths(root)).toEqual({ files: [], directories: [root] });
  chmodSync(root, 0o755);
  const { files, directories } = closedPaths(root);
  expect([...files].toSorted()).toEqual([join(root, 'open/group.key'), join(root, 'open/own.key')]);
  expect(directories).toEqual([join(root, 'closed')]);
  expect(closedPaths(join(root, 'none'))).toEqual({ files: [], directories: [] });
});

const words = (file: string, real = file): string =>
  bwrapCommand({ ...bare, programs: [{ file, real }] }).join(' ');

const bare: Fence = {
  node: '/n/node',
  program: '/p',
  home: '/h',
  work: '/w',
  programs: [],
  accounts: '/a',
  system: { paths: [], links: [] },
  closed: { files: [], directories: [] },
  proc: { files: [], directories: [], readOnly: [] },
  lowerTo: null,
  tools: [],
  proxy: null,
  network: 'none',
};

test('of the place where a program lies, a fence shows the program alone', () => {
  const own = words('/home/me/.local/bin/agent');
  expect(own).toContain(' --ro-bind /home/me/.local/bin/agent /home/me/.local/bin/agent ');
  expect(own.match(/(?<!--dir )\/home\/me\S*/gu)).toHaveLength(2);
  const linked = words('/home/me/.local/bin/claude', '/home/me/.local/share/claude/versions/2.1');
  expect(linked).toContain(
    ' --symlink /home/me/.local/share/claude/versions/2.1 /home/me/.local/bin/claude ',
  );
  expect(linked).toContain(' --ro-bind /home/me/.local/share/claude/versions/2.1 ');
  expect(linked).not.toMatch(/(?<!--dir) \/home\/me\/\.local(?:\/share(?:\/claude)?)? /u);
});

test('a program of npm brings the packages beside it, and one of the system nothing', () => {
  const nvm = '/home/me/.nvm/versions/node/v24';
  const npm = words(`${nvm}/bin/codex-acp`, `${nvm}/lib/node_modules/@x/codex-acp/node_modules/y/bin.js`);
  expect(npm).toContain(` --ro-bind ${nvm}/lib/node_modules ${nvm}/lib/node_modules `);
  expect(npm).toContain(
    ` --symlink ${nvm}/lib/node_modules/@x/codex-acp/node_modules/y/bin.js ${nvm}/bin/codex-acp `,
  );
  expect(words('/usr/local/bin/gemini', '/usr/local/lib/node_modules/@google/gemini/index.js')).not.toMatch(
    /gemini/u,
  );
});

test('of a configuration beside the login only the named parts come in', () => {
  const json = JSON.stringify({ security: { auth: 1 }, mcpServers: { x: { env: { TOKEN: 'hunter2' } } } });
  expect(loginPart({ file: 'settings.json', only: ['security'] }, json)).toBe('{"security":{"auth":1}}');
  expect(loginPart({ file: 'settings.json', only: ['security'] }, '{half')).toBeNull();
  const toml = `model = "x"
mcp_servers.a.env = { TOKEN = "hunter2" }
mcp_servers = { b = { env = { TOKEN = "hunter2" } } }
[model_providers.own]
base_url = "https://own"
[mcp_servers.c]
env = { TOKEN = "hunter2" }
[[hooks]]
command = "hunter2"
[model_providers.own.query_params]
v = "1"`;
  expect(loginPart({ file: 'config.toml', only: ['model_providers'] }, toml)).toBe(`model = "x"
[model_providers.own]
base_url = "https://own"
[model_providers.own.query_params]
v = "1"`);
});

test.each([
  [['api.openai.com'], 'api.openai.com', 443, true],
  [['api.openai.com'], 'API.OpenAI.com', 443, true],
  [['api.openai.com'], 'api.openai.com', 22, false],
  [['api.openai.com'], 'evil.api.openai.com', 443, false],
  [['*.googleapis.com'], 'x.googleapis.com', 443, true],
  [['*.googleapis.com'], 'googleapis.com', 443, false],
  [['*.googleapis.com'], 'evilgoogleapis.com', 443, false],
  [['127.0.0.1:8080'], '127.0.0.1', 8080, true],
  [[], 'example.com', 443, false],
])('%j lets %s:%i through: %s', (hosts, host, port, allowed) => {
  expect(isAllowedHost(hosts, host, port)).toBe(allowed);
});

/** Asks a proxy to connect; gives the status line, and what the far side says. */
const askProxy = (url: string, target: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`),
    );
    let said = '';
    socket.on('data', (bytes) => {
      said += String(bytes);
    });
    socket.on('close', () => resolve(said));
    socket.on('error', () => resolve(said));
  });

test('the proxy connects with listed hosts only and remembers what it refused', async () => {
  const far = createServer((socket) => socket.end('the model'));
  await new Promise<void>((resolve) => far.listen(0, '127.0.0.1', resolve));
  const address = far.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  onTestFinished(() => void far.close());
  const socket = join(tempDir(), 'proxy.sock');
  const proxy = await openProxy(socket, [`127.0.0.1:${port}`]);
  onTestFinished(() => proxy.close());
  const url = await joinProxy(socket);
  expect(await askProxy(url, `127.0.0.1:${port}`)).toBe(
    'HTTP/1.1 200 Connection Established\r\n\r\nthe model',
  );
  expect(await askProxy(url, 'example.com:443')).toBe('HTTP/1.1 403 Forbidden\r\n\r\n');
  expect(proxy.refused()).toEqual(['example.com']);
  const plain = await fetch(`${url}/http://example.com/`);
  expect(plain.status).toBe(403);
});
