import { isRecord } from '../base/json.ts';
import { isForbiddenVariable } from '../base/process/forbidden-variable.ts';
import { visibleName } from '../base/safe.ts';
import { error, type SkillProblem, warning } from './skill-problem.ts';

/** Reads the fields of a front matter; each wrong one becomes a problem at its line. */
interface FieldReader {
  readonly text: (key: string, required?: boolean) => string;
  readonly choice: <const T extends string>(key: string, allowed: readonly [T, ...T[]]) => T;
  readonly words: (key: string) => readonly string[] | null;
  readonly texts: (key: string) => Readonly<Record<string, string>>;
  readonly variables: (key: string) => Readonly<Record<string, string>>;
}

/** `at` gives the place of a key. */
export const fieldReader = (
  data: Readonly<Record<string, unknown>>,
  at: (key: string) => string,
  problems: SkillProblem[],
): FieldReader => {
  const wrong = (key: string, what: string): void =>
    void problems.push(error('skill-field', at(key), `${key} ${what}`));
  const text = (key: string, required = false): string => {
    const value = data[key] ?? '';
    if (typeof value !== 'string') wrong(key, 'must be text');
    else if (required && value.trim() === '') wrong(key, 'is missing');
    return typeof value === 'string' ? value.trim() : '';
  };
  const texts = (key: string): Readonly<Record<string, string>> => {
    const value = data[key] ?? {};
    if (!isRecord(value)) wrong(key, 'must be a map of strings');
    return isRecord(value) ? textsOf(value, key, at(key), problems) : {};
  };
  return {
    text,
    texts,
    choice: (key, allowed) => {
      const value = text(key);
      const found = allowed.find((each) => each === value);
      if (value !== '' && found === undefined)
        wrong(key, `is ${visibleName(value)}; use ${allowed.join(' or ')}`);
      return found ?? allowed[0];
    },
    words: (key) => {
      const value = data[key] ?? null;
      if (value === null) return null;
      if (typeof value === 'string') return wordsOf(value);
      if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.map(String);
      wrong(key, 'must be words separated by spaces, or a list of strings');
      return null;
    },
    variables: (key) => {
      const all = texts(key);
      for (const [name, value] of Object.entries(all)) judgeVariable(name, value, at(key), problems);
      return all;
    },
  };
};

/** Words with a space between them; one in parentheses stays whole: `Bash(git log:*)`. Commas count as spaces, which other programs write. */
const wordsOf = (text: string): readonly string[] => text.match(/[^\s,()]+(?:\([^()]*\))?/g) ?? [];

const textsOf = (
  value: Readonly<Record<string, unknown>>,
  key: string,
  where: string,
  problems: SkillProblem[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, each]): readonly (readonly [string, string])[] => {
      if (typeof each === 'string') return [[name, each]];
      const isPlain = typeof each === 'number' || typeof each === 'boolean';
      const what = `${key}.${visibleName(name)} must be text`;
      problems.push(
        isPlain
          ? warning('skill-field', where, what, `write "${each}" in quotes`)
          : error('skill-field', where, what),
      );
      return isPlain ? [[name, String(each)]] : [];
    }),
  );

const judgeVariable = (name: string, value: string, where: string, problems: SkillProblem[]): void => {
  const isOurs = /^RALPH_GH_\w+$/.test(name);
  if (!/^[A-Za-z_]\w*$/.test(name))
    problems.push(error('skill-env', where, `${visibleName(name)} is not a valid variable name`));
  else if (isForbiddenVariable(name) && !isOurs)
    problems.push(error('skill-env', where, `only a person may set the variable ${name}`));
  const foreign = [...value.matchAll(/\$\{?(\w+)\}?/g)].find(([, used = '']) => !used.startsWith('RALPH_'));
  if (foreign !== undefined)
    problems.push(
      error(
        'skill-env',
        where,
        `${visibleName(name)} reads the variable ${foreign[1]} from your shell, but a skill gets only RALPH_ variables`,
      ),
    );
};
