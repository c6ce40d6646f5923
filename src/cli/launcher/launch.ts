import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { endSignals, onProcessSignals, withUsualStop } from '../process-signals.ts';

/**
 * Runs this program again as a child in the same process group, on the same terminal, and ends as it ends. The child hosts the session: when a person
 * leaves it running, it sends an exit code, and only this process ends, so that the shell has its terminal back. ctrl-c, ctrl-z and a closed terminal
 * reach both from the kernel; what `kill` sends to this process alone is passed on. The variable `launchedBy` tells the
 * child that this is its parent.
 */
export const launch = (launchedBy: string): void => {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    env: { ...process.env, [launchedBy]: String(process.pid) },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const release = onProcessSignals(endSignals, (name) => void child.kill(name));
  stopWith(child.pid ?? 0);
  child.on('message', (code) => process.exit(typeof code === 'number' ? code : 1));
  child.on('error', (error) => {
    process.stderr.write(`ralph-tui: ${process.execPath} could not be started again: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    release();
    process.kill(process.pid, signal);
  });
};

const lookEveryMs = 10;
/** A group that no shell would continue is not stopped: then this process stays as it is too. */
const mostLooks = 500;

/**
 * Stops this process once the child has stopped. The child first stops its agents; if the shell had the terminal before, a `fg` could come too early,
 * and the child would stop after it.
 */
const stopWith = (child: number): void => {
  let looks = 0;
  const look = (): void => {
    looks += 1;
    if (isStopped(child)) {
      looks = 0;
      withUsualStop(() => process.kill(process.pid, 'SIGTSTP'));
    } else if (looks < mostLooks) setTimeout(look, lookEveryMs);
    else looks = 0;
  };
  onProcessSignals(['SIGTSTP'], () => {
    if (looks === 0) look();
  });
};

const isStopped = (pid: number): boolean => stateOf(pid).startsWith('T');

/** The letter of the kernel. */
const stateOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '');
  } catch {
    return spawnSync('/bin/ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  }
};
