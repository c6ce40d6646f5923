/**
 * `RALPH_RUN` of every process that an invocation starts: `<session>/<invocation>` (src/engine/README.md, Processes). Identifies the session by its directory,
 * because sessions that begin in the same second in different workspaces share an id. Stopping one must not stop the other.
 */
export const markerOf = ({
  sessionDirectory,
  invocation,
}: {
  readonly sessionDirectory: string;
  readonly invocation: string;
}): string => `${sessionDirectory}/${invocation}`;
