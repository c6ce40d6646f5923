/**
 * `RALPH_RUN` of everything an invocation starts: `<session>/<invocation>` (engine.md, Processes). The session is named by its directory, because
 * two sessions that begin in the same second in different workspaces have the same id, and stopping one must not stop the other.
 */
export const markerOf = ({
  sessionDirectory,
  invocation,
}: {
  readonly sessionDirectory: string;
  readonly invocation: string;
}): string => `${sessionDirectory}/${invocation}`;
