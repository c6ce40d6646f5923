import { spawn } from 'node:child_process';
import { ownEnvironment } from '../../base/process/own-program.io.ts';
import type { Cli } from '../cli.ts';
import { ignoreInterrupts } from '../process-signals.ts';
import { endClause } from './end-clause.ts';

/**
 * Runs a vendor's command on this terminal, as in the person's own shell: a login, an installation. Throws a sentence when it fails, after the
 * person has read its output. ctrl-c ends the command and not this program.
 */
export const runOnTerminal = async (cli: Pick<Cli, 'env'>, command: string): Promise<void> => {
  const listenAgain = ignoreInterrupts();
  try {
    await shell(cli, command);
  } finally {
    listenAgain();
  }
};

const script = `printf '\\n$ %s\\n' "$1"
eval "$1"
code=$?
[ $code -eq 0 ] || { printf '\\nIt exited with %s. Press Return to go back. ' "$code"; read -r _; }
exit $code`;

const shell = (cli: Pick<Cli, 'env'>, command: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', script, 'sh', command], {
      stdio: 'inherit',
      env: ownEnvironment(cli.env),
    });
    child.once('error', (error) =>
      reject(new Error(`\`${command}\` could not be started: ${error.message}`)),
    );
    child.once('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`\`${command}\` ${endClause(code, signal)}`)),
    );
  });
