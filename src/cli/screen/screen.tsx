import { unwatchFile, watchFile } from 'node:fs';
import { render } from 'ink';
import { App } from '../../../components/App.tsx';
import type { ThemeOptions } from '../../../components/theme.ts';
import type { Clock } from '../../base/clock.ts';
import type { Store } from '../../store/create-store.ts';
import type { Intent, IntentPort, IssueIntent, QuitChoice, TravelIntent } from '../../store/ports/intent.ts';
import { selectPreferences } from '../../store/select-preferences.ts';
import type { Cli } from '../cli.ts';
import { keepMemorySmall } from '../host/keep-memory-small.ts';
import { askGround, groundQuestion, wantsGround } from '../terminal/ask-ground.ts';
import { createMouse } from '../terminal/create-mouse.ts';
import { createTerminalPort, titleKept } from '../terminal/create-terminal-port.ts';
import { askPasteMarks } from '../terminal/paste-marks.ts';
import { skinFileOf, themeOfTerminal } from '../terminal/theme-of-terminal.ts';
import { createWorld } from '../world.ts';

export interface ScreenOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly port: Omit<IntentPort, 'perform'> & {
    readonly perform: (intent: WorldIntent) => Promise<string | null>;
  };
  /** Stops, aborts or leaves the engine as chosen. The screen closes when it resolves. */
  readonly quit: (choice: QuitChoice) => Promise<void>;
}

/** Intents with an effect outside the view, except leaving the screen. */
export type WorldIntent = Exclude<Intent, { type: 'quit' }>;

/** The port for one session's intents. */
export interface SessionPort extends Omit<IntentPort, 'perform' | 'issues'> {
  readonly perform: (intent: Exclude<WorldIntent, TravelIntent | IssueIntent>) => Promise<string | null>;
}

interface Screen {
  /** Resolves when the terminal is restored; with the error when the screen itself broke. */
  readonly gone: Promise<Error | null>;
  readonly close: () => void;
  /** Switches to another session without leaving the screen. */
  readonly show: (options: ScreenOptions) => void;
}

/** Shows the full screen on the alternate buffer. The normal screen is restored untouched. */
export const openScreen = (cli: Cli, options: ScreenOptions): Screen => {
  keepMemorySmall();
  cli.typed.giveBack();
  cli.showsCommands();
  const world = createWorld();
  const terminal = createTerminalPort(cli, world);
  let drawn = options;
  let ground: ThemeOptions['background'] | null = null;
  const theme = (): ThemeOptions =>
    themeOfTerminal(cli, selectPreferences(drawn.store.getState()), world.disk, ground);
  const groundAsked = askGround((answer) => {
    const before = theme().background;
    ground = answer;
    if (theme().background !== before) redraw();
  });
  // The answer to the second question says that the first one has none.
  if (wantsGround(cli.env, selectPreferences(options.store.getState()).theme))
    cli.stdout.write(groundQuestion);
  const { marks, see, answered } = askPasteMarks(cli, world.clock);
  const { mouse, stdin } = createMouse(cli, world.clock, (chunk) => {
    see(chunk);
    return groundAsked.take(chunk);
  });
  const redraw = (): void => instance.rerender(draw(drawn));
  const draw = ({ store, clock, port, quit }: ScreenOptions) => (
    <App
      store={store}
      clock={clock}
      terminal={terminal}
      mouse={mouse}
      marks={marks}
      theme={theme()}
      port={{
        ...port,
        perform: async (intent) => {
          if (intent.type !== 'quit') return port.perform(intent);
          await quit(intent.how);
          instance.unmount();
          return null;
        },
      }}
    />
  );
  // Terminal modes that Ink does not know are restored on the first way out, including a crash of the program.
  let kept = true;
  const giveBack = (): void => {
    if (!kept) return;
    kept = false;
    process.off('exit', giveBack);
    mouse.turn(false);
    if (cli.stdin.isRaw) cli.stdin.setRawMode(false);
    cli.stdout.write(titleKept.pop);
  };
  process.once('exit', giveBack);
  // Ink sets raw mode only after the first frame. The terminal would echo a key pressed before that into the frame.
  cli.stdin.setRawMode(true);
  cli.stdout.write(titleKept.push);
  const instance = render(draw(options), {
    stdin,
    stdout: cli.stdout,
    stderr: cli.stderr,
    alternateScreen: true,
    // Ink draws nothing where `CI` is set, unless it runs as interactive.
    interactive: true,
    // Screen reader users start with `--screen-reader`, which has no frames. Ink's own form of them does not
    // fit our frames.
    isScreenReaderEnabled: false,
    patchConsole: false,
    exitOnCtrlC: false,
    maxFps: 60,
  });
  // A person who edits a skin sees it at once.
  const skin = skinFileOf(cli.env, selectPreferences(options.store.getState()).theme);
  if (skin !== null) watchFile(skin, { interval: 1_000, persistent: false }, redraw);
  return {
    gone: instance
      .waitUntilExit()
      .then(
        () => null,
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      )
      .finally(async () => {
        if (skin !== null) unwatchFile(skin, redraw);
        await answered();
        giveBack();
      }),
    close: () => instance.unmount(),
    show: (next) => {
      drawn = next;
      redraw();
    },
  };
};
