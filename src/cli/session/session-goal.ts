import { z } from 'zod';
import { safe } from '../../base/safe.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { World } from '../world.ts';

/** Bytes. Keeps lists of many sessions fast: a longer first line is read only when the session is opened. */
const longestLine = 64 * 1024;

const createdSchema = z.object({ type: z.literal('session.created'), goal: z.string() });

/** The goal of a session, from the first line of its journal; `null` when that line is unreadable or has none. */
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
