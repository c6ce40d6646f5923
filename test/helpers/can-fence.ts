import { execFileSync } from 'node:child_process';

/** Whether bubblewrap is there and may make namespaces. */
export const canFence = (): boolean => {
  try {
    execFileSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
