import type { Git, GitCall } from '../git.ts';
import { partsOf } from './git-text.ts';

/** Commands that read no file of a work tree, and ask no program of the configuration. */
const plain: ReadonlySet<string> = new Set(['config', 'version', 'rev-parse', 'for-each-ref', 'cat-file']);

/**
 * git that hands no file to a program of this machine: neither filters, such as git-lfs, nor merge drivers, from whatever configuration. For files that
 * came back from a runner: their `.gitattributes` choose such a program, and their `.lfsconfig` the address that it asks. They are written as they are
 * stored, and recorded as they lie there.
 */
export const withoutFilters = (git: Git): Git => {
  let last: Settings = [];
  const off = async ({ cwd, gitDir }: GitCall): Promise<Settings> => {
    const args = ['config', '--list', '--includes', '--name-only', '-z'];
    const listed = await git.run({ args, cwd, ...(gitDir === undefined ? {} : { gitDir }) });
    last = switchedOff(partsOf(listed.out));
    return last;
  };
  return {
    ...git,
    run: async (call) => {
      if (plain.has(call.args[0] ?? '')) return git.run(call);
      return git.run({ ...call, settings: await off(call) });
    },
    // What stays compares and names commits: it writes no file.
    stay: (call) => git.stay({ ...call, settings: last }),
  };
};

type Settings = NonNullable<GitCall['settings']>;

/** Settings that switch off every program which these names of the configuration could name. */
const switchedOff = (names: readonly string[]): Settings => {
  const drivers = new Set(
    names.flatMap(
      (name) => /^((?:filter|merge)\..*)\.(?:clean|smudge|process|required|driver)$/s.exec(name)?.[1] ?? [],
    ),
  );
  return [...drivers].flatMap((driver) =>
    driver.startsWith('filter.')
      ? [
          ...['clean', 'smudge', 'process'].map((part) => ({ key: `${driver}.${part}`, value: '' })),
          { key: `${driver}.required`, value: 'false' },
        ]
      : [{ key: `${driver}.driver`, value: '' }],
  );
};
