import { chmodSync, symlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAllowedHost } from '../../src/runners/fence/allowed-host.ts';
import { bwrapCommand } from '../../src/runners/fence/bwrap-command.ts';
import { closedPaths } from '../../src/runners/fence/closed-paths.io.ts';
import { loginPart } from '../../src/runners/fence/login-part.ts';
import { joinProxy, openProxy } from '../../src/runners/fence/proxy.io.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { writeIn } from '../helpers/workspace.ts';

test('the fence has every namespace, a home of its own, and no shared network unless it is asked for', () => {
  const fence = {
    node: '/n/node',
    program: '/p',
    home: '/h',
    work: '/w',
    programs: [],
    closed: { files: ['/etc/shadow'], directories: ['/etc/ssl/private'] },
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
  expect(words.join(' ')).toContain('--ro-bind /dev/null /etc/shadow --tmpfs /etc/ssl/private --proc');
  // A program below the machine's /tmp is seen in the private one.
  expect(words.join(' ')).toMatch(/--tmpfs \/tmp .*--ro-bind \/t \/t /);
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
  const { files, directories } = closedPaths(root);
  expect([...files].sort()).toEqual([join(root, 'open/group.key'), join(root, 'open/own.key')]);
  expect(directories).toEqual([join(root, 'closed')]);
  expect(closedPaths(join(root, 'none'))).toEqual({ files: [], directories: [] });
});

const words = (file: string, real = file): string =>
  bwrapCommand({
    node: '/n/node',
    program: '/p',
    home: '/h',
    work: '/w',
    programs: [{ file, real }],
    closed: { files: [], directories: [] },
    tools: [],
    proxy: null,
    network: 'none',
  }).join(' ');

test('of the place where a program lies, a fence shows the program alone', () => {
  const own = words('/home/me/.local/bin/agent');
  expect(own).toContain(' --ro-bind /home/me/.local/bin/agent /home/me/.local/bin/agent ');
  expect(own.match(/\/home\/me\S*/gu)).toHaveLength(2);
  const linked = words('/home/me/.local/bin/claude', '/home/me/.local/share/claude/versions/2.1');
  expect(linked).toContain(
    ' --symlink /home/me/.local/share/claude/versions/2.1 /home/me/.local/bin/claude ',
  );
  expect(linked).toContain(' --ro-bind /home/me/.local/share/claude/versions/2.1 ');
  expect(linked).not.toMatch(/ \/home\/me\/\.local(?:\/share(?:\/claude)?)? /u);
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
