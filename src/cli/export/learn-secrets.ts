import { planSource } from '../../agents/backends/script/plan.ts';
import { DiskError } from '../../base/disk.ts';
import { diskReason } from '../../base/disk-reason.ts';
import { readText } from '../../base/replace-file.ts';
import { userConfigFile, workspaceConfigFile } from '../../session/config.io.ts';
import { parseFrontMatter } from '../../tasks/front-matter.ts';
import { parseYaml } from '../../tasks/yaml-text.ts';
import { type Cli, failure } from '../cli.ts';
import { secretsOf } from '../secrets.ts';
import type { OpenJournal } from '../session/open-session.ts';

/**
 * Adds the secrets that configurations and the session's plan give to agents and commands (`env`): files of the workspace may hold them,
 * whatever the session removed while it ran. Throws a failure for a file that cannot be read, because its secrets stay unknown.
 */
export const learnSecrets = ({ env }: Pick<Cli, 'env'>, { world, paths }: OpenJournal): void => {
  const yaml = (text: string, file: string): unknown =>
    parseYaml(text, file, { size: longest, depth: 32 }).value.value;
  const frontMatter = (text: string, file: string): unknown => parseFrontMatter(text, file).value.data;
  for (const [file, parse] of [
    [userConfigFile(env), yaml],
    [workspaceConfigFile(paths.workspace), yaml],
    [planSource(paths.directory), yaml],
    [paths.instructions, frontMatter],
  ] as const) {
    const text = textOf(world, file);
    if (text !== null) world.learn([...secretsIn(parse(text, file), 0)]);
  }
};

/** Bytes of the longest plan. */
const longest = 4_194_304;

const textOf = ({ disk }: OpenJournal['world'], file: string): string | null => {
  try {
    return readText(disk, file, longest);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    const { clause } = diskReason(error);
    throw failure({
      code: 'secrets-unknown',
      what: `cannot be read, so the secrets in it are unknown: ${clause}`,
      where: file,
      hint: 'make it a plain file that you can read, or remove it',
    });
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
          Object.entries(item).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
        ),
      );
    yield* secretsIn(item, depth + 1);
  }
}
