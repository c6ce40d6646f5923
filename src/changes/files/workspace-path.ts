/** A path of the repository, relative to the workspace: `../` where it lies outside. `prefix` ends in a slash, or is ''. */
export const workspacePath = (prefix: string, path: string): string => {
  if (path.startsWith(prefix)) return path.slice(prefix.length);
  const inside = prefix.split('/').slice(0, -1);
  const steps = path.split('/');
  let shared = 0;
  while (shared < inside.length && inside[shared] === steps[shared]) shared += 1;
  return '../'.repeat(inside.length - shared) + steps.slice(shared).join('/');
};

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
