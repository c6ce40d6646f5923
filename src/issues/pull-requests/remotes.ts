/** A remote of the repository. */
interface Remote {
  readonly name: string;
  /** Where pushes go. */
  readonly url: string;
  /** What `gh repo set-default` wrote: `base`, or a repository. */
  readonly resolved: string | null;
}

/** Where a branch is pushed, and which repository its pull request goes to. */
export interface RequestPlace {
  /** The name of the remote that gets the branch. */
  readonly remote: string;
  /** The name of the remote that holds the base branch. */
  readonly baseRemote: string;
  /** The owner of the fork that gets the branch; `null` when it is pushed to the repository of the pull request itself. */
  readonly fork: string | null;
}

/** The settings that `requestPlace` reads, as a pattern for `git config --get-regexp`. */
export const remoteSettings =
  '^(remote\\..*\\.(url|pushurl|gh-resolved)|remote\\.pushdefault|branch\\..*\\.(pushremote|remote))$';

/**
 * Reads the output of `git config -z --get-regexp`, and decides as git and `gh` do where a branch is pushed and reviewed. `on`: the branch that the
 * pull request goes against. `repository`: what `GH_REPO` names. `null`: there is no remote.
 */
export const requestPlace = (
  config: string,
  on: string | null,
  repository: string | undefined,
): RequestPlace | null => {
  const entries = config
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const at = entry.indexOf('\n');
      return at < 0 ? ([entry, ''] as const) : ([entry.slice(0, at), entry.slice(at + 1)] as const);
    });
  const settings = new Map(entries);
  const remotes = remotesIn(settings);
  const [first] = remotes;
  if (first === undefined) return null;
  const named = (names: readonly (string | undefined)[]): Remote =>
    names.flatMap((name) => remotes.find((each) => each.name === name) ?? []).at(0) ?? first;
  const ofBranch = (what: string): string | undefined => settings.get(`branch.${on}.${what}`);
  const remote = named([
    ofBranch('pushremote'),
    settings.get('remote.pushdefault'),
    'origin',
    ofBranch('remote'),
  ]);
  const chosen = remotes.find(({ resolved }) => resolved !== null);
  const base = chosen ?? named(['upstream', 'github', 'origin', remote.name]);
  const from = repositoryIn(remote.url);
  const set = base.resolved === null || base.resolved === 'base' ? base.url : base.resolved;
  const to = repositoryIn(repository || set);
  const isFork = from !== null && to !== null && from.toLowerCase() !== to.toLowerCase();
  return {
    remote: remote.name,
    baseRemote: base.name,
    fork: isFork ? (from.split('/')[0] ?? null) : null,
  };
};

const remotesIn = (settings: ReadonlyMap<string, string>): readonly Remote[] =>
  [...settings].flatMap(([key, url]) => {
    const name = /^remote\.(.+)\.url$/s.exec(key)?.[1];
    if (name === undefined) return [];
    return [
      {
        name,
        url: settings.get(`remote.${name}.pushurl`) ?? url,
        resolved: settings.get(`remote.${name}.gh-resolved`) ?? null,
      },
    ];
  });

/** `owner/name` at the end of an address: of `https://host/owner/name.git`, of `git@alias:owner/name`, and of a name alone. */
const repositoryIn = (url: string): string | null =>
  /(?:^|[/:])([^/:]+\/[^/:]+?)(?:\.git)?\/?$/.exec(url)?.[1] ?? null;
