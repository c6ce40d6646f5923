/**
 * A path of the repository, relative to the workspace. One outside climbs to the top of the repository first: `../../a/x`. `prefix` ends in a slash,
 * or is ''.
 */
export const workspacePath = (prefix: string, path: string): string =>
  path.startsWith(prefix) ? path.slice(prefix.length) : climb(prefix) + path;

/** From the workspace to the top of the repository: '' or `../` for each directory. */
export const climb = (prefix: string): string => '../'.repeat(prefix.split('/').length - 1);

/** The way back. */
export const repositoryPath = (prefix: string, path: string): string => {
  const inside = prefix.split('/').slice(0, -1);
  const steps = path.split('/');
  while (steps[0] === '..' && inside.length > 0) {
    steps.shift();
    inside.pop();
  }
  return [...inside, ...steps].join('/');
};

/** The workspace inside a work tree whose top is `root`. */
export const workspaceIn = (root: string, prefix: string): string =>
  prefix === '' ? root : `${root}/${prefix.replace(/\/$/, '')}`;
