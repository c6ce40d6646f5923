/**
 * Starts a program of the tests that is started often: `node quick-start.mjs FILE.ts ARGUMENTS…`, or as the file of a worker with FILE.ts as its
 * argument. What Node makes of TypeScript is kept. This file is no TypeScript: the first such file, before the cache is on, costs 50 ms of processor
 * time each time. FILE.ts finds its arguments where they always are.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/test-programs'));
process.argv.splice(1, 1);
await import(process.argv[1] ?? '');
// Many of these programs are killed.
flushCompileCache();
