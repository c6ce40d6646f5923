import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiskError } from '../../base/disk.ts';
import { toFault } from '../../base/fault.ts';
import { failure, type Subcommand, usage } from '../cli.ts';
import { withJson } from '../options.ts';

interface Options {
  readonly json?: boolean;
  readonly hooks?: boolean;
  readonly remove?: boolean;
}

/** `ralph-tui init`: writes a first plan.yaml to edit, from the repository's own checks if it has any. */
export const init: Subcommand = (program, cli) => {
  withJson(
    program
      .command('init')
      .summary('write a first plan.yaml to edit')
      .option('--hooks', 'instead: put our hooks into .claude/settings.json')
      .option('--remove', 'with --hooks: take them out again'),
  ).action(
    cli.does(async (options: Options) => {
      if (options.remove && !options.hooks)
        throw usage('--remove means nothing here', 'write `ralph-tui init --hooks --remove`');
      if (options.hooks) {
        const { writeHooks } = await import('../outside/hook/write-hooks.ts');
        return writeHooks(cli, options.remove === true, options.json === true);
      }
      const file = join(cli.cwd, 'plan.yaml');
      if (existsSync(file)) throw usage(`${file} is there already`, 'edit it, or remove it first');
      const { findPlan } = await import('../trust/discover-checks.ts');
      const { formatPlan } = await import('../../tasks/plan-file.ts');
      const found = findPlan(cli);
      try {
        writeFileSync(file, found ? formatPlan(found) : firstPlan, { flag: 'wx' });
      } catch (error) {
        throw notWritten(file, error);
      }
      if (options.json) cli.printJson({ id: file, file, written: true });
      else cli.print(`written: ${file}; run it with \`ralph-tui run --plan plan.yaml\``);
      return 0;
    }),
  );
};

/** Removes a partly written file: the next `init` would take half a plan for the person's own. */
const notWritten = (file: string, error: unknown): Error => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unexpected';
  if (code === 'EEXIST') return usage(`${file} is there already`, 'edit it, or remove it first');
  rmSync(file, { force: true });
  return failure(toFault(new DiskError(code, 'write', file)));
};

const firstPlan = `goal: Say what is to be reached
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
