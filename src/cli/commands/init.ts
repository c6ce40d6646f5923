import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Subcommand, usage } from '../cli.ts';
import { withJson } from '../options.ts';

/** `ralph-tui init`: a first plan.yaml to edit, from what the repository offers where it offers something. */
export const init: Subcommand = (program, cli) => {
  withJson(program.command('init').summary('write a first plan.yaml to edit')).action(
    cli.does(async (options: { readonly json?: boolean }) => {
      const file = join(cli.cwd, 'plan.yaml');
      if (existsSync(file)) throw usage(`${file} is there already`, 'edit it, or remove it first');
      const { findPlan } = await import('../discover-plan.ts');
      const { formatPlan } = await import('../../tasks/plan-file.ts');
      const found = findPlan(cli);
      writeFileSync(file, found ? formatPlan(found) : firstPlan, { flag: 'wx' });
      if (options.json) cli.printJson({ id: file, file, written: true });
      else cli.print(`written: ${file}; run it with \`ralph-tui run --plan plan.yaml\``);
      return 0;
    }),
  );
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
