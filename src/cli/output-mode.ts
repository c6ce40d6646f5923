import type { Cli } from './cli.ts';

/** The display of a session while this program hosts it. */
export type OutputMode = 'screen' | 'plain' | 'json' | 'reader';

/** Full screen in a terminal, lines with a prompt in one that cannot draw (`TERM=dumb`), else the plain log; `--json` and `--headless` override all. */
export const outputMode = (
  cli: Cli,
  options: { readonly json?: boolean; readonly headless?: boolean; readonly screenReader?: boolean },
): OutputMode => {
  if (options.json) return 'json';
  if (options.screenReader) return 'reader';
  if (options.headless || !cli.hasPerson) return 'plain';
  return cli.hasScreen ? 'screen' : 'reader';
};
