import { FaultError } from '../../base/fault.ts';
import type { Database } from './database.io.ts';
import { poolSchema, schemaVersion } from './schema.ts';

/** Throws a `FaultError` for a database that is no pool, or that of another version. */
export const checkVersion = async (database: Database): Promise<void> => {
  const [row] = await database.query(`select version from ${poolSchema}.version`);
  if (row?.['version'] === schemaVersion) return;
  throw new FaultError({
    code: 'pool-version',
    what: `the pool's tables have version ${String(row?.['version'])}, but this program uses version ${schemaVersion}`,
    hint: 'use the same ralph-tui on all machines, and run `ralph-tui pool init` with the newest',
  });
};
