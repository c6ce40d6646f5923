import { fromJson, isRecord } from '../../base/json.ts';
import { createLineCounter, type Hit, type Rule, type Tree } from '../rule.ts';

/**
 * Foreign hooks that run beside every agent or commit: those of agent settings, and hook managers (src/discovery/README.md, Scanner). They are
 * legitimate, but a person has to know that they run.
 */
export const foreignHook: Rule = {
  name: 'foreign_hook',
  tree: (tree) => [...settingsFiles.flatMap((file) => agentHooks(tree, file)), ...managers(tree)],
};

const settingsFiles = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.gemini/settings.json',
  '.qwen/settings.json',
  '.codex/hooks.json',
  '.cursor/hooks.json',
];

const agentHooks = (tree: Tree, file: string): readonly Hit[] => {
  const text = tree.read(file);
  if (text === null || !text.includes('"hooks"')) return [];
  const commands = commandsIn(fromJson(text)).filter((command) => !/\bralph-tui\S* hook\b/.test(command));
  return [...new Set(commands)].map((command) =>
    hit(
      file,
      `${command}`.slice(0, 200),
      lineOf(text, command),
      `An agent hook runs \`${command.slice(0, 80)}\``,
    ),
  );
};

/** Every `command` of a hook below `hooks`, at any depth. */
const commandsIn = (settings: unknown): readonly string[] => {
  if (!isRecord(settings)) return [];
  const walk = (value: unknown, depth: number): readonly string[] => {
    if (depth > 8) return [];
    if (Array.isArray(value)) return value.flatMap((each) => walk(each, depth + 1));
    if (!isRecord(value)) return [];
    const own = value['command'];
    return [
      ...(typeof own === 'string' ? [own] : []),
      ...Object.values(value).flatMap((each) => walk(each, depth + 1)),
    ];
  };
  return walk(settings['hooks'], 0);
};

const lineOf = (text: string, command: string): number | null => {
  const at = text.indexOf(JSON.stringify(command));
  return at < 0 ? null : createLineCounter(text)(at);
};

const managers = (tree: Tree): readonly Hit[] => {
  const husky = tree.paths.find((path) => path.startsWith('.husky/') && !path.endsWith('/.gitignore'));
  const files = [
    '.pre-commit-config.yaml',
    'lefthook.yml',
    'lefthook.yaml',
    '.lefthook.yml',
    '.overcommit.yml',
  ];
  return [
    ...(husky === undefined ? [] : [hit(husky, 'husky', null, 'husky runs commands on every commit')]),
    ...files
      .filter((file) => tree.paths.includes(file))
      .map((file) => hit(file, file, null, `${file} runs commands on every commit`)),
    ...(tree.hooksPath === null || tree.hooksPath === '/dev/null' || husky !== undefined
      ? []
      : [hit('.git/config', tree.hooksPath, null, `core.hooksPath is ${tree.hooksPath}`)]),
  ];
};

const hit = (file: string, value: string, line: number | null, description: string): Hit => ({
  value,
  per: 'file',
  file,
  line,
  severity: 'low',
  role: 'config',
  description,
  recommendation: 'Expect it to change files or to refuse a commit; leave it in place',
  tags: ['hooks'],
});
