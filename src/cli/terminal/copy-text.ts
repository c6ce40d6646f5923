import { join } from 'node:path';
import { ownEnvironment, ownProgram } from '../../base/process/own-program.io.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { count } from '../../words/local-time.ts';
import type { Cli } from '../cli.ts';
import { stateDirectory } from '../state-directory.ts';
import type { World } from '../world.ts';

/** A program that reads the clipboard's text from stdin. */
type Tool = readonly [program: string, ...args: readonly string[]];

/** Clipboard tools for this machine, the person's own machine first. A tool without its display would only hang. */
const toolsFor = (env: Cli['env'], platform: NodeJS.Platform): readonly Tool[] => [
  ...(platform === 'darwin' ? [['pbcopy'] as const] : []),
  ...(env['WAYLAND_DISPLAY'] ? [['wl-copy'] as const] : []),
  ...(env['DISPLAY'] ? [['xclip', '-selection', 'clipboard'] as const] : []),
  ...(env['TMUX'] ? [['tmux', 'load-buffer', '-w', '-'] as const] : []),
];

/**
 * Copies with the first tool that works, else through the terminal (OSC 52). The terminal never confirms, so
 * the text is also written to a private file, which the returned sentence names.
 */
export const copyText = async (
  cli: Pick<Cli, 'env' | 'stdout'>,
  world: World,
  text: string,
  platform: NodeJS.Platform = process.platform,
): Promise<string> => {
  for (const [program, ...args] of toolsFor(cli.env, platform)) {
    const env = ownEnvironment(cli.env);
    const file = ownProgram(program, env.PATH, []);
    if (file === null) continue;
    const { execa } = await import('execa');
    const { exitCode } = await execa(file, args, {
      input: text,
      // xclip stays in the background and would keep a pipe open forever.
      stdout: 'ignore',
      stderr: 'ignore',
      timeout: 3_000,
      reject: false,
      extendEnv: false,
      env,
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
