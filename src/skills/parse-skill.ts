import { visibleName } from '../base/safe.ts';
import { parseFrontMatter } from '../tasks/front-matter.ts';
import { namedPlaces } from './named-places.ts';
import { type Skill, wrongName } from './skill.ts';
import { fieldReader } from './skill-fields.ts';
import { error, isRefused, type SkillProblem, warning } from './skill-problem.ts';

/** Lines of instructions that the format recommends at most. */
const mostLines = 500;
const longestDescription = 1_024;
const longestCompatibility = 500;

/** Fields of the format, and those of other programs that change nothing here. */
const known = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
  'model',
  'env',
  'context',
  'argument-hint',
]);

/** Fields by which a skill would command the program instead of its agent. */
const orders: Readonly<Record<string, string>> = {
  hooks: 'commands that start automatically',
  permissions: 'what an agent may do without asking',
  permissionMode: 'what an agent may do without asking',
  'permission-mode': 'what an agent may do without asking',
  mcpServers: 'servers that start automatically',
  'mcp-servers': 'servers that start automatically',
};

/**
 * Reads a `SKILL.md` by the rules of agentskills.io. `folder` is the name of its folder, `file` its place for problems. The value is `null` where a
 * problem is an error. Never throws.
 */
export const parseSkill = (
  text: string,
  folder: string,
  file = 'SKILL.md',
): { readonly value: Skill | null; readonly problems: readonly SkillProblem[] } => {
  const matter = parseFrontMatter(text, file);
  const { data, yaml, body, bodyLine } = matter.value;
  const problems: SkillProblem[] = matter.problems.map((fault) => ({ ...fault, severity: 'error' }));
  if (yaml === null && problems.length === 0)
    problems.push(
      error('skill-matter', `${file}:1`, 'has no front matter', 'begin it with ---, name and description'),
    );
  if (yaml === null || problems.length > 0) return { value: null, problems };
  const at = (key: string): string => `${file}:${yaml.line([key])}`;
  const read = fieldReader(data, at, problems);
  for (const key of Object.keys(data)) judgeKey(key, at(key), problems);
  const skill: Skill = {
    name: nameOf(read.text('name', true), folder, at('name'), problems),
    description: limited(read.text('description', true), longestDescription, 'description', at, problems),
    context: read.choice('context', ['inline', 'fork'] as const),
    allowedTools: read.words('allowed-tools'),
    model: read.text('model') || null,
    env: read.variables('env'),
    argumentHint: read.text('argument-hint') || read.texts('metadata')['argument-hint'] || '',
    metadata: read.texts('metadata'),
    body: body.trim(),
  };
  limited(read.text('compatibility'), longestCompatibility, 'compatibility', at, problems);
  read.text('license');
  judgeBody(skill.body, file, problems);
  problems.push(...namedPlaces(body, file, bodyLine));
  return { value: isRefused(problems) ? null : skill, problems: unique(problems) };
};

const nameOf = (name: string, folder: string, where: string, problems: SkillProblem[]): string => {
  const wrong = name === '' ? null : wrongName(name);
  if (wrong !== null) problems.push(error('skill-name', where, `the name ${visibleName(name)} ${wrong}`));
  else if (name !== '' && name !== folder)
    problems.push(
      error(
        'skill-folder',
        where,
        `the name is ${visibleName(name)} and the folder is ${visibleName(folder)}`,
        'they must be the same',
      ),
    );
  return name;
};

const limited = (
  text: string,
  most: number,
  key: string,
  at: (key: string) => string,
  problems: SkillProblem[],
): string => {
  const length = [...text].length;
  if (length > most)
    problems.push(
      error('skill-length', at(key), `${key} has ${length} characters, but at most ${most} are allowed`),
    );
  return text;
};

const judgeKey = (key: string, where: string, problems: SkillProblem[]): void => {
  const order = orders[key];
  if (order !== undefined)
    problems.push(
      error('skill-order', where, `${key} is for ${order}, which a skill cannot set`, `remove ${key}`),
    );
  else if (key === 'allowed_tools')
    problems.push(warning('skill-key', where, 'allowed_tools is ignored', 'write allowed-tools'));
  else if (!known.has(key))
    problems.push(
      warning('skill-key', where, `${visibleName(key)} is not a field of the skill format and is ignored`),
    );
};

const judgeBody = (body: string, file: string, problems: SkillProblem[]): void => {
  const lines = body.split('\n').length;
  if (body === '')
    problems.push(error('skill-empty', file, 'has no instructions', 'write them below the second ---'));
  else if (lines >= mostLines)
    problems.push(
      warning(
        'skill-long',
        file,
        `has ${lines} lines of instructions, but fewer than ${mostLines} are recommended`,
        'move reference material to references/',
      ),
    );
};

/** A field that is read twice says its problem once. */
const unique = (problems: readonly SkillProblem[]): readonly SkillProblem[] =>
  problems.filter(
    (problem, index) =>
      problems.findIndex(({ where, what }) => where === problem.where && what === problem.what) === index,
  );
