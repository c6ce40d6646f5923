import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from './temp-dir.ts';

/** Hand-made sessions of other hands and versions under `test/fixtures/sessions`, with the id of the one session in each. */
export const sessionFixtures = {
  v1: '260201-070000',
  'v2.0': '260208-080000',
  'v2.2': '260215-101500',
  'v2.3': '260217-090000',
  'v2.6': '260222-120000',
} as const;

/** A scratch workspace that holds such a session; git would ignore it under its real name. */
export const sessionFixture = (
  name: keyof typeof sessionFixtures,
): { workspace: string; session: string } => {
  const workspace = tempDir();
  const source = join(import.meta.dirname, '..', 'fixtures', 'sessions', name);
  cpSync(source, join(workspace, '.ralph-sessions'), { recursive: true });
  return { workspace, session: sessionFixtures[name] };
};
