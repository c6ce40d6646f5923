import { dirname, join } from 'node:path';
import { realPath } from '../../agents/real-path.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import { findSkills } from '../../skills/find-skills.ts';
import { shippedSkills } from '../../skills/shipped-skills.io.ts';
import type { Skill } from '../../skills/skill.ts';
import { type Cli, exitCodes, failure } from '../cli.ts';
import { codexHome } from '../codex-home.ts';
import { rememberOwnText } from '../trust/trust-memory.ts';
import type { World } from '../world.ts';

/** Stands in every file of ours: only such a file is replaced or removed. */
const mark = 'Written by `ralph-tui init --commands`';

/** One agent's own form of a slash command. `file` is relative to the repository, or to the home where the agent reads only that. */
interface CommandForm {
  readonly agent: string;
  readonly inHome: boolean;
  readonly file: (name: string) => string;
  readonly text: (skill: Skill) => string;
}

const steps = (name: string, words: string): string =>
  `${mark}; \`ralph-tui init --commands --remove\` removes it.

Run \`ralph-tui skill ${name} ${words}\` in the shell. It prints one question with the id of its conversation, and exits.

Put each question to the person word for word, then run \`ralph-tui skill --continue ID\` with the person's answer as one line on its stdin. Never answer for the person: only the person may say yes to a document or an issue. At the end, report what the program printed.`;

const quoted = (text: string): string => JSON.stringify(text);

const forms: readonly CommandForm[] = [
  {
    agent: 'Claude Code',
    inHome: false,
    file: (name) => `.claude/commands/ralph-${name}.md`,
    text: ({ name, description, argumentHint }) =>
      `---\ndescription: ${quoted(description)}\nargument-hint: ${quoted(argumentHint)}\n---\n${steps(name, '"$ARGUMENTS"')}\n`,
  },
  {
    agent: 'Gemini CLI',
    inHome: false,
    file: (name) => `.gemini/commands/ralph-${name}.toml`,
    text: ({ name, description }) =>
      `description = ${quoted(description)}\nprompt = '''\n${steps(name, '"{{args}}"')}\n'''\n`,
  },
  {
    agent: 'Codex',
    inHome: true,
    file: (name) => `prompts/ralph-${name}.md`,
    text: ({ name }) => `${steps(name, '"$ARGUMENTS"')}\n`,
  },
];

/**
 * Writes or removes a slash command for each of our skills, in the form of each agent: in the repository, and for Codex in its home. A file that is not
 * ours stays and is named. Prints the paths; exit 1 when a place leads out of the repository.
 */
export const slashCommands = (
  cli: Cli,
  world: World,
  workspace: string,
  how: { readonly remove: boolean; readonly json: boolean },
): number => {
  const ours = findSkills(world.disk, { workspace: shippedSkills(), home: null, ours: shippedSkills() });
  const skills = ours.flatMap(({ skill }) => (skill?.context === 'inline' ? [skill] : []));
  const done: string[] = [];
  const kept: string[] = [];
  for (const form of forms)
    for (const skill of skills) {
      const root = form.inHome ? codexHome(cli) : workspace;
      const file = form.file(skill.name);
      const path = insideOrThrow(world, root, file);
      const before = readText(world.disk, path);
      if (before !== null && !before.includes(mark)) kept.push(path);
      else if (how.remove) {
        if (before === null) continue;
        world.disk.unlink(path);
        done.push(path);
      } else {
        world.disk.mkdir(dirname(path));
        const text = form.text(skill);
        replaceFile(world.disk, world.random, path, text);
        // The person asked for these bytes: a session need not ask about them.
        if (!form.inHome) rememberOwnText(cli.env, world, workspace, file, text);
        done.push(path);
      }
    }
  const verb = how.remove ? 'removed' : 'written';
  if (how.json) cli.printJson({ [verb]: done, kept });
  else {
    for (const path of done) cli.print(`${verb}: ${path}`);
    for (const path of kept)
      cli.note(`ralph-tui: ${path} was not written by ralph-tui, so it was left unchanged`);
    if (done.length === 0 && kept.length === 0) cli.print('There are no ralph-tui commands here.');
  }
  return exitCodes.done;
};

const insideOrThrow = (world: World, root: string, file: string): string => {
  const top = realPath(world.disk, root);
  const place = realPath(world.disk, join(root, file));
  if (top !== null && place?.startsWith(`${top}/`)) return place;
  throw failure({
    code: 'commands-outside',
    where: file,
    what: 'points outside its folder',
    hint: 'remove the link',
  });
};
