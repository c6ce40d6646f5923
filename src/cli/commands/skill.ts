import { Option } from 'commander';
import { safe } from '../../base/safe.ts';
import { permissionPresets } from '../../session/settings/permission-presets.ts';
import { type Cli, exitCodes, type Subcommand, usage } from '../cli.ts';
import { withJson } from '../options.ts';
import type { RunOptions } from '../skills/run-skill.ts';
import type { World } from '../world.ts';

interface Options {
  readonly json?: boolean;
}

/** `ralph-tui skill`: the skills that can be seen from here. A skill tells an agent how to work with a person, or alone on a phase of an issue. */
export const skill: Subcommand = (program, cli) => {
  const parent = program.command('skill');
  withJson(
    parent
      .command('run [name] [argument...]', { isDefault: true })
      .summary('start a skill: `ralph-tui skill draft-idea "offline mode"`')
      .option('--continue [id]', 'continue the last conversation, or the one with this id')
      .option('--screen-reader', 'line by line instead of on the screen')
      .option('--agent <name>', 'the agent that works with you')
      .addOption(
        new Option('--permissions <preset>', 'what the agent may do without asking').choices([
          ...permissionPresets,
        ]),
      )
      .option('--yes', 'accept the repository files that the skill or its agent would read'),
  ).action(
    cli.does(
      async (
        name: string | undefined,
        words: readonly string[],
        options: RunOptions & { readonly screenReader?: boolean },
      ) => {
        const { world, workspace } = await openPlace(cli);
        if (name === undefined && options.continue === undefined)
          return list({ cli, world, workspace }, options);
        const { runSkill } = await import('../skills/run-skill.ts');
        const onScreen = cli.hasScreen && options.json !== true && options.screenReader !== true;
        const screen = onScreen ? await import('../screen/talk-on-screen.ts') : null;
        return runSkill(cli, world, workspace, name ?? null, words.join(' '), {
          ...options,
          ...(screen === null
            ? {}
            : { openScreen: (label: string) => screen.openTalkScreen(cli, world, workspace, label) }),
        });
      },
    ),
  );
  withJson(parent.command('list').summary('every skill and its origin')).action(
    cli.does(async (options: Options) => list(await openPlace(cli), options)),
  );
  withJson(parent.command('show <name>').summary('one skill with its instructions')).action(
    cli.does(async (name: string, options: Options) => show(await openPlace(cli), name, options)),
  );
  withJson(
    parent.command('check <path>').summary('check a skill folder against the agentskills.io format'),
  ).action(
    cli.does(async (path: string, options: Options) => {
      const { checkSkill } = await import('../skills/check-skill.ts');
      return checkSkill(cli, (await openPlace(cli)).world, path, options);
    }),
  );
  withJson(parent.command('new <name>').summary("create a skill in this workspace's .ralph/skills")).action(
    cli.does(async (name: string, options: Options) => create(await openPlace(cli), name, options)),
  );
};

interface Place {
  readonly cli: Cli;
  readonly world: World;
  readonly workspace: string;
}

const openPlace = async (cli: Cli): Promise<Place> => {
  const { createWorld } = await import('../world.ts');
  const { issueWorkspace } = await import('../issues/issue-workspace.ts');
  return { cli, world: createWorld(), workspace: issueWorkspace(cli.cwd) };
};

const list = async ({ cli, world, workspace }: Place, { json }: Options): Promise<number> => {
  const { findSkills } = await import('../../skills/find-skills.ts');
  const { skillPlaces } = await import('../trust/own-skills.ts');
  const { skillCells, skillNotices, skillRow } = await import('../skills/skill-rows.ts');
  const { formatTable } = await import('../report/table.ts');
  const rows = findSkills(world.disk, skillPlaces(cli.env, workspace)).map((each) =>
    skillRow(cli, world, workspace, each),
  );
  if (json) cli.printJson(rows);
  else {
    cli.print(formatTable(rows.filter(({ state }) => state !== 'refused').map(skillCells)));
    for (const notice of skillNotices(rows)) cli.note(`ralph-tui: ${safe(notice)}`);
  }
  return exitCodes.done;
};

const show = async ({ cli, world, workspace }: Place, name: string, { json }: Options): Promise<number> => {
  const { findSkills } = await import('../../skills/find-skills.ts');
  const { isAccepted, skillPlaces } = await import('../trust/own-skills.ts');
  const { formatFault } = await import('../../base/fault.ts');
  const { skillRow } = await import('../skills/skill-rows.ts');
  const { skillText } = await import('../skills/skill-text.ts');
  const all = findSkills(world.disk, skillPlaces(cli.env, workspace));
  const found =
    all.find((each) => each.name === name && each.skill !== null) ?? all.find((each) => each.name === name);
  if (found === undefined)
    throw usage(`unknown skill ${safe(name)}`, `known: ${all.map((each) => each.name).join(', ')}`);
  if (json) {
    const body = found.skill?.body ?? null;
    cli.printJson({ ...skillRow(cli, world, workspace, found), metadata: found.skill?.metadata ?? {}, body });
    return exitCodes.done;
  }
  cli.print(skillText(found));
  for (const problem of found.problems)
    cli.note(safe(`ralph-tui: ${problem.severity}: ${formatFault(problem)}`));
  if (!isAccepted(cli.env, world, workspace, found))
    cli.note('ralph-tui: this skill came with the repository, and is not used until you accept it');
  return exitCodes.done;
};

const create = async ({ cli, world, workspace }: Place, name: string, { json }: Options): Promise<number> => {
  const { newSkill } = await import('../skills/new-skill.ts');
  const file = newSkill(cli, world, workspace, name);
  if (json) cli.printJson({ name, file, written: true });
  else cli.print(`written: ${file}`);
  return exitCodes.done;
};
