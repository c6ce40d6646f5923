import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browsePage } from '../../src/cli/terminal/browse-page.ts';
import { createWorld } from '../../src/cli/world.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';

const cliWith = (env: Readonly<Record<string, string>>) => {
  const home = tempDir();
  const written: string[] = [];
  const stdout = Object.assign(Object.create(process.stdout), {
    write: (text: string) => written.push(text) > 0,
  });
  const all = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_STATE_HOME: home, ...env };
  return { cli: createTestCli({ env: all, stdout }), home, written };
};

test('opens a page with $BROWSER, whose arguments and whose address stay apart', async () => {
  const out = join(tempDir(), 'asked');
  const { cli } = cliWith({ BROWSER: `printf '%s\\n' > ${out}` });
  expect(await browsePage(cli, createWorld(), 'https://example.com/a?b=$(touch x);c')).toContain(
    'opened https://example.com/',
  );
  expect(readFileSync(out, 'utf8')).toBe('https://example.com/a?b=$(touch%20x);c\n');
});

test.each(['javascript:alert(1)', '--help', 'file:///etc/passwd', '/etc/passwd', ''])(
  '%j is no address of a page, and no browser starts',
  async (address) => {
    const out = join(tempDir(), 'asked');
    const { cli } = cliWith({ BROWSER: `touch ${out}` });
    await expect(browsePage(cli, createWorld(), address)).rejects.toThrow('is not a web address');
    expect(existsSync(out)).toBe(false);
  },
);

test('without a desktop the address is copied, and says so', async () => {
  const { cli, written } = cliWith({});
  const said = await browsePage(cli, createWorld(), 'https://example.com/', 'linux');
  expect(said).toContain('No browser could be started here');
  expect(written.join('')).toContain(Buffer.from('https://example.com/').toString('base64'));
});
