import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesWorld, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { changesConform } from './changes-conformance.ts';

const template = templateOfFile();

changesConform(() => {
  const world = changesWorld(template);
  return {
    open: (isolation = 'worktree') => world.open({ isolation }),
    write: writeFiles,
    read: (directory, path) => {
      const file = join(directory, path);
      return existsSync(file) ? readFileSync(file, 'utf8') : null;
    },
    workspace: world.repo,
  };
});
