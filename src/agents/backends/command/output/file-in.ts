/** A file of the workspace from there, another one as it is. */
export const fileIn = (workspace: string, path: string): string =>
  path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;
