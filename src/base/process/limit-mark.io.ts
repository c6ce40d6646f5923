import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/**
 * A marker that a process inherits and cannot shed with its environment, its parent, its session or its directory: the soft limit of its resident memory,
 * which Linux ignores (setrlimit(2), RLIMIT_RSS). Everybody may read it, also in the middle of an exec. A process that sets its limits anew sheds it.
 */
export const limitMark = (marker: string): string => (kilobytesOf(marker) * 1024n).toString();

/** 1 PiB, more than any memory, and 39 bits of the marker's hash: no program has that limit by chance. */
const kilobytesOf = (marker: string): bigint => {
  const bits = BigInt(`0x${createHash('sha256').update(marker).digest('hex').slice(0, 16)}`);
  return leastKilobytes + (bits & (leastKilobytes / 2n - 1n));
};

const leastKilobytes = 2n ** 40n;

/** Whether a process has the limit of any marker. */
export const hasLimitMark = (pid: number): boolean => {
  const limit = limitOf(pid);
  const kilobytes = limit === '' ? 0n : BigInt(limit) / 1024n;
  return kilobytes >= leastKilobytes && kilobytes < leastKilobytes + leastKilobytes / 2n;
};

const showsLimits = existsSync('/proc/self/limits');

/** The soft limit of the resident memory of that process, as text; empty when it has none, or has ended. */
export const limitOf = (pid: number): string => {
  try {
    return /^Max resident set +(\d+)/mu.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1] ?? '';
  } catch {
    // It ended meanwhile.
    return '';
  }
};

/**
 * The program and its arguments, started by a shell that sets the limit first. As they are where the limit could not be read later, and where the shell
 * would take the program for an option, or lose a variable whose name it cannot hold.
 */
export const withLimitMark = (
  argv: readonly [string, ...string[]],
  marker: string,
  env: Readonly<Record<string, string>>,
): readonly [string, ...string[]] => {
  const isPlain = !argv[0].startsWith('-') && Object.keys(env).every((name) => /^[A-Za-z_]\w*$/.test(name));
  if (!showsLimits || !isPlain) return argv;
  // Some shells add these to what they start.
  const added = ['PWD', 'OLDPWD', 'SHLVL', '_'].filter((name) => env[name] === undefined);
  const script = `ulimit -S -m "$0" 2>/dev/null; unset ${added.join(' ')}; exec "$@"`;
  return ['/bin/sh', '-c', script, kilobytesOf(marker).toString(), ...argv];
};
