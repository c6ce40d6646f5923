import { join } from 'node:path';
import { formatTimestamp } from '../../base/clock.ts';
import { diskCode } from '../../base/disk.ts';
import { writeNew } from '../../base/replace-file.ts';
import { visibleName } from '../../base/safe.ts';
import { skillFolders } from '../../skills/find-skills.ts';
import { readSkill } from '../../skills/read-skill.ts';
import { wrongName } from '../../skills/skill.ts';
import { type Cli, failure, usage } from '../cli.ts';
import { rememberTrust } from '../trust/trust-memory.ts';
import type { World } from '../world.ts';

const template = (name: string): string => `---
name: ${name}
description: Says in one or two sentences what the skill does and when to use it.
metadata:
  argument-hint: "TOPIC"
---
# ${name}

What the agent and the person produce together, in one sentence.

1. Ask what is missing. One question at a time; each can be skipped.
2. Read before you write: name files as \`file:line\`.
3. Show the result and change it until the person agrees.
`;

/**
 * Writes the skeleton of a skill below \`.ralph/skills\` of the workspace, and returns its file. It counts as accepted as it is; an edit is asked about
 * once. Exit 2 for a wrong name, 1 when the name is taken.
 */
export const newSkill = (cli: Cli, world: World, workspace: string, name: string): string => {
  const wrong = wrongName(name);
  if (wrong !== null)
    throw usage(`the name ${visibleName(name)} ${wrong}`, 'choose a name such as release-notes');
  const shown = `${skillFolders[0]}/${name}`;
  const folder = join(workspace, shown);
  const file = join(folder, 'SKILL.md');
  world.disk.mkdir(folder);
  try {
    writeNew(world.disk, world.random, file, template(name));
  } catch (error) {
    if (diskCode(error) !== 'EEXIST') throw error;
    throw failure({ code: 'skill-exists', what: 'exists already', where: `${shown}/SKILL.md` });
  }
  const { sha256 } = readSkill(world.disk, folder, name);
  rememberTrust(cli.env, world, { workspace, name: shown, sha256, at: formatTimestamp(world.clock) });
  return file;
};
