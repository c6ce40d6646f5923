import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAllowedHost } from '../../src/runners/fence/allowed-host.ts';
import { bwrapCommand } from '../../src/runners/fence/bwrap-command.ts';
import { joinProxy, openProxy } from '../../src/runners/fence/proxy.io.ts';
import { tempDir } from '../helpers/temp-dir.ts';

test('the fence has every namespace, a home of its own, and no shared network unless it is asked for', () => {
  const fence = {
    node: '/n/node',
    program: '/p',
    home: '/h',
    tools: ['/t'],
    proxy: '/x',
    network: 'model',
  } as const;
  const words = bwrapCommand(fence);
  expect(words.slice(0, 4)).toEqual(['bwrap', '--unshare-all', '--new-session', '--die-with-parent']);
  expect(words).not.toContain('--share-net');
  expect(bwrapCommand({ ...fence, network: 'on', proxy: null })).toContain('--share-net');
  expect(words.join(' ')).toContain('--bind /h /home/agent --remount-ro / --chdir /home/agent');
  // A program below the machine's /tmp is seen in the private one.
  expect(words.join(' ')).toMatch(/--tmpfs \/tmp .*--ro-bind \/t \/t /);
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
