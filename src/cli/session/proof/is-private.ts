import type { World } from '../../world.ts';

/** Ours, and writable by nobody else: others could declare a plan trusted, or a signal sent by a person. */
export const isPrivate = ({ disk }: Pick<World, 'disk'>, path: string): boolean => {
  const stat = disk.lstat(path);
  return stat !== null && (stat.mode & 0o022) === 0 && stat.uid === (process.getuid?.() ?? stat.uid);
};
