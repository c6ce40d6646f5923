import type { Rule } from '../rule.ts';
import { conflictMarker } from './conflict-marker.ts';
import { foreignHook } from './foreign-hook.ts';
import { hardcodedPath } from './hardcoded-path.ts';
import { lockConflict, orphanLock, staleLock } from './locks/lock-files.ts';
import { readOnlyNotice } from './read-only-notice.ts';
import { rigidStructure } from './rigid-structure.ts';

/** Every scanner rule, in the order people see them. */
export const rules: readonly Rule[] = [
  hardcodedPath,
  rigidStructure,
  foreignHook,
  lockConflict,
  staleLock,
  orphanLock,
  conflictMarker,
  readOnlyNotice,
];
