import { type Context, runGit } from '../context.ts';
import { linesOf } from '../git/git-text.ts';

/** What a person runs for a pull request, one list of words per command. They need a remote, which is named in them where there is one. */
export const pullRequestCommands = async (
  context: Context,
  branch: string,
  title: string,
): Promise<{ readonly hasRemote: boolean; readonly commands: readonly (readonly string[])[] }> => {
  const remotes = linesOf(await runGit(context, 'list the remotes', ['remote']));
  const remote = remotes.includes('origin') ? 'origin' : (remotes[0] ?? 'origin');
  return {
    hasRemote: remotes.length > 0,
    commands: [
      ['git', 'push', '--set-upstream', remote, branch],
      ['gh', 'pr', 'create', '--head', branch, '--title', title, '--fill-verbose'],
    ],
  };
};
