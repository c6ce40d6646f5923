import type { Database } from './database.io.ts';
import { installQueue } from './queue.io.ts';
import { hostRole, rightsSql, runnerRole, tablesSql } from './schema.ts';
import { checkVersion } from './version.ts';

/** Makes or completes the tables, roles and rights of a pool. Each role gets its password. */
export const installPool = async (
  database: Database,
  queue: string,
  passwords: { readonly host: string; readonly runner: string },
): Promise<void> => {
  await installQueue(database, queue);
  await database.query(tablesSql);
  await database.query(rightsSql);
  await database.query(
    `alter role ${hostRole} password '${passwords.host}'; alter role ${runnerRole} password '${passwords.runner}'`,
  );
  await checkVersion(database);
};
