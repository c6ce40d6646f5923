import { startEmbedded } from '../../src/cli/pool/embedded-postgres.ts';
import { openDatabase } from '../../src/runners/pool/database.io.ts';
import { installPool } from '../../src/runners/pool/install.io.ts';
import { makeTempDir, removeTempDir } from './temp-dir.ts';

/** A PostgreSQL of its own for a test file, with a pool in it. `url` of each role; `query` as the owner of everything. */
export const startPoolDatabase = async (settings: readonly string[] = []) => {
  const directory = makeTempDir();
  let server = await startEmbedded({ directory, password: 'owner', settings });
  const owner = openDatabase(server.url, 1);
  await installPool(owner, 'default', { host: 'hostword', runner: 'runnerword' });
  const as = (user: string): string => server.url.replace('postgres:owner@', `${user}@`);
  return {
    directory,
    server: () => server,
    /** Kills every process of the server, and starts it again. */
    crash: async () => {
      process.kill(server.pid, 'SIGKILL');
      await server.stop();
      server = await startEmbedded({ directory, password: 'owner', settings, port: server.port });
    },
    query: owner.query,
    urls: { host: as('ralph_pool_host:hostword'), runner: as('ralph_pool_runner:runnerword') },
    stop: async () => {
      await owner.close();
      await server.stop();
      removeTempDir(directory);
    },
  };
};
