/**
 * The first thing that a worker of the tests loads. What Node makes of TypeScript is kept for the next run. This file is no TypeScript: the first such
 * file, before the cache is on, costs 50 ms of processor time each time.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/tests'));
await import('./load-natively.ts');
