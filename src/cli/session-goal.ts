import { z } from 'zod';
import { safe } from '../base/safe.ts';
import type { SessionPaths } from '../session/paths.ts';
import type { World } from './world.ts';

/** A list of many sessions opens at once: what a longer first line says is left to those who open the session. */
const longestLine = 64 * 1024;

const createdSchema = z.object({ type: z.literal('session.created'), goal: z.string() });

/** What a session was begun for, from the first line of its journal; `null` where that cannot be told. */
export const sessionGoal = ({ disk }: World, { journal }: SessionPaths): string | null => {
  if (disk.lstat(journal)?.kind !== 'file') return null;
  const handle = disk.openRead(journal);
  try {
    const [line = ''] = new TextDecoder().decode(disk.read(handle, 0, longestLine)).split('\n');
    return safe(createdSchema.parse(JSON.parse(line)).goal);
  } catch {
    return null;
  } finally {
    disk.close(handle);
  }
};
