import { remoteSettings, requestPlace } from '../../issues/pull-requests/remotes.ts';
import { type Context, tryGit } from '../context.ts';
import { textOf } from '../git/git-text.ts';

interface RequestCommands {
  readonly hasRemote: boolean;
  readonly commands: readonly (readonly string[])[];
}

/**
 * What a person runs for a pull request against `base`, one list of words per command. They need a remote, which is named in them where there is one. A
 * base that the remote does not know yet is pushed first: without it there is nothing to compare with.
 */
export const pullRequestCommands = async (
  context: Context,
  { branch, title, base }: { readonly branch: string; readonly title: string; readonly base: string | null },
): Promise<RequestCommands> => {
  const { out } = await tryGit(context, ['config', '-z', '--get-regexp', remoteSettings]);
  const place = requestPlace(textOf(out), base, undefined);
  const { remote, baseRemote, fork } = place ?? { remote: 'origin', baseRemote: 'origin', fork: null };
  const isKnown = base !== null && (await isOnRemote(context, baseRemote, base));
  const push = (what: string): readonly string[] => ['git', 'push', '--set-upstream', remote, what];
  const isOurs = base !== null && !isKnown && fork === null;
  return {
    hasRemote: place !== null,
    commands: [
      ...(isOurs ? [push(base)] : []),
      push(branch),
      [
        'gh',
        'pr',
        'create',
        ...(isKnown || isOurs ? ['--base', base] : []),
        '--head',
        fork === null ? branch : `${fork}:${branch}`,
        '--title',
        title,
        '--fill-verbose',
      ],
    ],
  };
};

/** Whether the last fetch or push saw the branch there. */
const isOnRemote = async (context: Context, remote: string, branch: string): Promise<boolean> =>
  (await tryGit(context, ['rev-parse', '--quiet', '--verify', `refs/remotes/${remote}/${branch}`])).code ===
  0;
