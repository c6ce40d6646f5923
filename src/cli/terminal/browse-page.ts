import { ownEnvironment } from '../../base/process/own-program.io.ts';
import { safe } from '../../base/safe.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import { copyText } from './copy-text.ts';

/**
 * Opens a page in the person's browser: `$BROWSER`, else the desktop's own way. Without a desktop, as over ssh, the address is copied instead.
 * Throws a sentence for anything but a web address, because the address comes from the tracker.
 */
export const browsePage = async (
  cli: Pick<Cli, 'env' | 'stdout'>,
  world: World,
  address: string,
  platform: NodeJS.Platform = process.platform,
): Promise<string> => {
  const url = webAddress(address);
  if (url === null) throw new Error(`${safe(address)} is not a web address`);
  const command = openerFor(cli.env, platform);
  if (command !== null) {
    const { execa } = await import('execa');
    const { exitCode } = await execa('/bin/sh', ['-c', `${command} "$1"`, 'sh', url], {
      stdio: 'ignore',
      timeout: 5_000,
      reject: false,
      extendEnv: false,
      env: ownEnvironment(cli.env),
    });
    if (exitCode === 0) return `opened ${safe(url)}`;
  }
  return `No browser could be started here; the address is ${await copyText(cli, world, url)}`;
};

/** The address as a browser writes it. `null`: not http or https. */
const webAddress = (address: string): string | null => {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
};

/** The setting may contain arguments, so a shell reads it. */
const openerFor = (env: Cli['env'], platform: NodeJS.Platform): string | null => {
  const own = env['BROWSER']?.split(':')[0];
  if (own) return own;
  if (platform === 'darwin') return 'open';
  // Without a display it would start a browser in this terminal.
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? 'xdg-open' : null;
};
