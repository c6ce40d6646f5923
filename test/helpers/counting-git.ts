import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createGit } from '../../src/changes/git/git.io.ts';
import type { Git } from '../../src/changes/git.ts';
import { gitEnvironment } from './changes.ts';

/** git that notes each process it starts, one that stays once, in the scratch directory. Children of git are not noted. */
export const countingGit = (top: string): { readonly git: Git; commands(): readonly string[] } => {
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const log = join(top, 'git-processes');
  const shim = join(top, 'bin/git');
  mkdirSync(dirname(shim), { recursive: true });
  writeFileSync(shim, `#!/bin/sh\nprintf '%s\\0' "$*" >> '${log}'\nexec '${real}' "$@"\n`);
  chmodSync(shim, 0o755);
  writeFileSync(log, '');
  const env = gitEnvironment(top);
  return {
    git: createGit({ ...env, PATH: `${dirname(shim)}:${env['PATH']}` }),
    commands: () =>
      readFileSync(log, 'utf8')
        .split('\0')
        .flatMap(
          (line) =>
            / (?:--work-tree=\S+|--git-dir=\S+|--literal-pathspecs) ([a-z].*)$/s.exec(line)?.[1] ?? [],
        ),
  };
};
