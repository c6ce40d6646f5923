import { createGit } from '../../changes/git/git.io.ts';
import type { Question } from '../../session/forms/question.ts';
import type { Cli } from '../cli.ts';
import { prepareDemoSkill } from '../session/demo-workspace.ts';
import { runSkill } from '../skills/run-skill.ts';
import { linesOf, talkInLines } from '../skills/talk-in-lines.ts';
import type { World } from '../world.ts';
import { openTalkScreen } from './talk-on-screen.ts';

interface Options {
  readonly json?: boolean;
  readonly headless?: boolean;
  readonly screenReader?: boolean;
}

/** Works a plan out with the sample's agent, in a scratch copy: real files, no model. Without a person at the terminal the demo answers itself. */
export const demoSkill = async (cli: Cli, world: World, options: Options): Promise<number> => {
  const { workspace, issue, prepared } = prepareDemoSkill(createGit(cli.env));
  await prepared();
  const there: Cli = { ...cli, cwd: workspace };
  const isJson = options.json === true;
  const isAlone = isJson || options.headless === true || (!cli.hasScreen && cli.stdin.isTTY !== true);
  const onScreen = cli.hasScreen && !isAlone && options.screenReader !== true;
  try {
    return await runSkill(there, world, workspace, 'create-plan', issue, {
      json: isJson,
      // The configuration that names the sample's agent was written just now, by this program.
      yes: true,
      ...(onScreen
        ? { openScreen: (label: string) => openTalkScreen(there, world, workspace, label) }
        : isAlone
          ? { openLines: answeringItself }
          : {}),
    });
  } finally {
    if (!isJson) cli.print(`The sample project is in ${workspace}\nRun these commands there.`);
  }
};

/** The conversation in lines, with answers that this demo gives: the first choice, and the document is kept as soon as there is one. */
const answeringItself: typeof talkInLines = (cli, print) => {
  const { io, close } = talkInLines(cli, print);
  return {
    close,
    io: {
      ...io,
      ask: async (question, talk) => {
        if (io.left.aborted) return null;
        for (const line of linesOf(question, talk)) print(line);
        const { id, label } = answerOf(question);
        print(`> ${label}  (the demo answers)`);
        return id;
      },
    },
  };
};

const answerOf = ({ options }: Question): { readonly id: string; readonly label: string } =>
  options.find(({ id }) => id === '=keep') ?? options[0] ?? { id: '', label: 'skipped' };
