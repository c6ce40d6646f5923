import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiskError } from '../../base/disk.ts';
import { toFault } from '../../base/fault.ts';
import { formatPlan } from '../../tasks/plan-file.ts';
import { type Cli, failure, usage } from '../cli.ts';
import { findPlan } from '../trust/discover-checks.ts';

/** Writes a first plan.yaml to edit, from the repository's own checks if it has any. Returns its path. */
export const writeFirstPlan = (cli: Cli): string => {
  const file = join(cli.cwd, 'plan.yaml');
  if (existsSync(file)) throw usage(`${file} already exists`, 'edit it, or remove it first');
  const found = findPlan(cli);
  try {
    writeFileSync(file, found ? formatPlan(found) : firstPlan, { flag: 'wx' });
  } catch (error) {
    throw notWritten(file, error);
  }
  return file;
};

/** Removes a partly written file: the next `init` would take half a plan for the person's own. */
const notWritten = (file: string, error: unknown): Error => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unexpected';
  if (code === 'EEXIST') return usage(`${file} already exists`, 'edit it, or remove it first');
  rmSync(file, { force: true });
  return failure(toFault(new DiskError(code, 'write', file)));
};

const firstPlan = `goal: Describe the result
tasks:
  - id: first
    title: A first task
    objective: What is true when it is done.
    # What it changes. Tasks that name the same file, or none at all, never run side by side.
    files: [hello.txt]
    criteria: ["hello.txt greets"]
    run: [echo hello > hello.txt]
    verify: [grep -q hello hello.txt]
  - id: second
    title: A task that needs the first
    blockedBy: [first]
    run: [cat hello.txt]
`;
