import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cleanEnvironment } from './program.ts';
import { commitAsKim } from './repository.ts';
import { runInside } from './run-inside.ts';
import type { AgentScript } from './scripted-agent/script.ts';
import { createScriptedAgent } from './scripted-agent/scripted-agent.ts';
import { tempDir } from './temp-dir.ts';

/** A workspace whose person has one agent, a scripted one, and types the given lines. */
export const createSkillWorkspace = (
  turns: AgentScript['turns'],
  files: Readonly<Record<string, string>> = {},
  more: Partial<AgentScript> & { readonly git?: true } = {},
) => {
  const { git: _, ...script } = more;
  const root = tempDir();
  const cwd = join(root, 'work');
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  mkdirSync(cwd, { recursive: true });
  for (const [path, text] of Object.entries(files)) write(path, text);
  if (more.git) commitAsKim(cwd);
  else mkdirSync(join(cwd, '.git'));
  const agent = createScriptedAgent(root, { ...script, turns });
  const config = join(root, 'config/ralph-tui');
  mkdirSync(config, { recursive: true });
  writeFileSync(
    join(config, 'config.yaml'),
    JSON.stringify({
      agents: { sample: { type: 'acp', command: [agent.command, ...agent.args], label: 'Sample' } },
    }),
  );
  const env: Record<string, string> = {
    XDG_CONFIG_HOME: join(root, 'config'),
    XDG_STATE_HOME: join(root, 'state'),
    HOME: root,
    USER: 'ada',
  };
  const skill = (args: readonly string[], ...lines: readonly string[]) =>
    runInside(['skill', ...args], {
      cwd,
      env: cleanEnvironment(env),
      input: lines.map((line) => `${line}\n`).join(''),
    });
  const read = (path: string): string => readFileSync(join(cwd, path), 'utf8');
  const names = (path: string): readonly string[] => readdirSync(join(cwd, path)).sort();
  const prompts = () =>
    agent.log().filter(({ what, method }) => what === 'request' && method === 'session/prompt');
  return { cwd, env, agent, skill, read, names, write, prompts };
};
