import { planSource } from '../../agents/backends/script/plan.ts';
import { DiskError } from '../../base/disk.ts';
import { diskReason } from '../../base/disk-reason.ts';
import type { Parsed } from '../../base/fault.ts';
import { readText } from '../../base/replace-file.ts';
import { userConfigFile, workspaceConfigFile } from '../../session/config.io.ts';
import { parseFrontMatter } from '../../tasks/front-matter.ts';
import { parseYaml } from '../../tasks/yaml-text.ts';
import { type Cli, type Exit, failure } from '../cli.ts';
import { secretsOf } from '../secrets.ts';
import type { OpenJournal } from '../session/open-session.ts';

/**
 * Adds the secrets that configurations and the session's plan give to agents and commands (`env`): files of the workspace may hold them,
 * whatever the session removed while it ran. Throws a failure for a file that cannot be read or is no valid YAML, because its secrets stay unknown.
 */
export const learnSecrets = ({ env }: Pick<Cli, 'env'>, { world, paths }: OpenJournal): void => {
  const yaml: Reader = (text, file) => {
    const { value, problems } = parseYaml(text, file, { size: longest, depth: 32 });
    return { value: value.value, problems };
  };
  const frontMatter: Reader = (text, file) => {
    const { value, problems } = parseFrontMatter(text, file);
    // A text between two lines of dashes is no map, and holds nothing named.
    return {
      value: value.yaml?.value,
      problems: problems.filter(({ code }) => code !== 'front-matter-shape'),
    };
  };
  for (const [file, parse] of [
    [userConfigFile(env), yaml],
    [workspaceConfigFile(paths.workspace), yaml],
    [planSource(paths.directory), yaml],
    [paths.instructions, frontMatter],
  ] as const) {
    const text = textOf(world, file);
    if (text === null) continue;
    const { value, problems } = parse(text, file);
    for (const { what, where = file } of problems) throw unknown(where, what, 'fix the file or remove it');
    world.learn([...secretsIn(value, 0)]);
  }
};

type Reader = (text: string, file: string) => Parsed<unknown>;

const unknown = (where: string, why: string, hint: string): Exit =>
  failure({
    code: 'secrets-unknown',
    what: `cannot be read (${why}), so the secrets in it are unknown`,
    where,
    hint,
  });

/** Bytes of the longest plan. */
const longest = 4_194_304;

const textOf = ({ disk }: OpenJournal['world'], file: string): string | null => {
  try {
    return readText(disk, file, longest);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    throw unknown(
      file,
      diskReason(error).clause,
      'replace it with a regular file that you can read, or remove it',
    );
  }
};

/** Deeper than any setting. */
const deepest = 32;

/** Values of variables with telling names below any `env`. */
function* secretsIn(value: unknown, depth: number): Generator<string> {
  if (typeof value !== 'object' || value === null || depth > deepest) return;
  for (const [key, item] of Object.entries(value)) {
    if (key === 'env' && typeof item === 'object' && item !== null)
      yield* secretsOf(
        Object.fromEntries(
          Object.entries(item).flatMap(([name, text]) =>
            typeof text === 'string' || typeof text === 'number' ? [[name, String(text)]] : [],
          ),
        ),
      );
    yield* secretsIn(item, depth + 1);
  }
}
