import { join } from 'node:path';
import { execa } from 'execa';
import { replaceFile } from '../base/replace-file.ts';
import { count } from '../store/moment.ts';
import type { Cli } from './cli.ts';
import type { World } from './world.ts';
import { stateDirectory } from './written-file.ts';

/** A program that takes the clipboard's text on its standard input. */
type Tool = readonly [program: string, ...args: readonly string[]];

/** What could hold a clipboard here, the person's own machine first: a tool without its display would only hang. */
const toolsFor = (env: Cli['env'], platform: NodeJS.Platform): readonly Tool[] => [
  ...(platform === 'darwin' ? [['pbcopy'] as const] : []),
  ...(env['WAYLAND_DISPLAY'] ? [['wl-copy'] as const] : []),
  ...(env['DISPLAY'] ? [['xclip', '-selection', 'clipboard'] as const] : []),
  ...(env['TMUX'] ? [['tmux', 'load-buffer', '-w', '-'] as const] : []),
];

/**
 * Copies by the first tool that takes it, else through the terminal (OSC 52), which never answers: so the text lies in a private file as well, and
 * the sentence says so.
 */
export const copyText = async (
  cli: Pick<Cli, 'env' | 'stdout'>,
  world: World,
  text: string,
  platform: NodeJS.Platform = process.platform,
): Promise<string> => {
  for (const [program, ...args] of toolsFor(cli.env, platform)) {
    const { exitCode } = await execa(program, args, {
      input: text,
      // xclip goes on in the background and would keep a pipe open for ever.
      stdout: 'ignore',
      stderr: 'ignore',
      timeout: 3_000,
      reject: false,
      extendEnv: false,
      env: { ...cli.env },
    });
    if (exitCode === 0) return `copied ${count([...text].length, 'character')} (${program})`;
  }
  const file = join(stateDirectory(cli.env), 'copied.txt');
  cli.stdout.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
  try {
    world.disk.mkdir(stateDirectory(cli.env));
    replaceFile(world.disk, world.random, file, text);
    return `sent to your terminal; also in ${file}`;
  } catch {
    return 'sent to your terminal';
  }
};
