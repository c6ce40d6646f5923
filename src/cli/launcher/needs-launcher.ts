/**
 * Whether a program of its own shall run behind the one that the shell waits for, so that a session can outlive its terminal: where a screen may be
 * shown, because only there a person leaves. The entry asks before it loads anything, so this file uses only old syntax and no import.
 */
export const needsLauncher = (
  argv: readonly string[],
  where: { readonly hasScreen: () => boolean; readonly platform: string },
): boolean => {
  const command = argv.find((word) => !word.startsWith('-'));
  return (
    where.platform !== 'win32' &&
    (command === undefined || hosting.has(command)) &&
    !argv.some((word) => unseen.has(word)) &&
    where.hasScreen()
  );
};

/** The variable that names the launcher's pid. It counts only between the two: what this program starts does not see it. */
export const launchedBy = 'RALPH_TUI_LAUNCHED_BY';

/** The commands whose screen can run a session. Without one of them the newest session is opened. */
export const hosting: ReadonlySet<string> = new Set(['open', 'demo', 'run', 'resume', 'attach']);

const unseen: ReadonlySet<string> = new Set([
  '--background',
  '--headless',
  '--help',
  '--json',
  '--screen-reader',
  '--version',
  '-V',
  '-h',
]);
