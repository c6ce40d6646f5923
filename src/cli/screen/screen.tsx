import { unwatchFile, watchFile } from 'node:fs';
import { type Instance, render } from 'ink';
import { App } from '../../../components/App.tsx';
import type { Store } from '../../../components/create-store.ts';
import type { ThemeOptions } from '../../../components/draw/theme.ts';
import type { Mouse } from '../../../components/keys/mouse.ts';
import type { PasteMarks } from '../../../components/keys/paste-marks.ts';
import type {
  Intent,
  IntentPort,
  IssueIntent,
  QuitChoice,
  TravelIntent,
} from '../../../components/ports/intent.ts';
import { selectPreferences } from '../../../components/ports/select-preferences.ts';
import type { TerminalPort } from '../../../components/ports/terminal-port.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disk } from '../../base/disk.ts';
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

interface Shown {
  readonly cli: Cli;
  readonly disk: Disk;
  readonly terminal: TerminalPort;
  readonly mouse: Mouse;
  readonly marks: PasteMarks;
  drawn: ScreenOptions;
  /** What the terminal said of its background. */
  ground: ThemeOptions['background'] | null;
  /** Ink's; `null` before the first frame. */
  instance: Instance | null;
}

/** Shows the full screen on the alternate buffer. The normal screen is restored untouched. */
export const openScreen = (cli: Cli, options: ScreenOptions): Screen => {
  keepMemorySmall();
  cli.typed.giveBack();
  cli.showsCommands();
  const world = createWorld();
  const terminal = createTerminalPort(cli, world);
  const groundAsked = askGround((answer) => takeGround(shown, answer));
  // In raw mode: the terminal would echo an answer into the frame, or leave it to the shell as a typed line.
  cli.stdin.setRawMode(true);
  // The answer to the second question says that the first one has none.
  if (wantsGround(cli.env, themeNamed(options))) cli.stdout.write(groundQuestion);
  const { marks, see, answered } = askPasteMarks(cli, world.clock);
  const { mouse, stdin } = createMouse(cli, world.clock, (chunk) => {
    see(chunk);
    return groundAsked.take(chunk);
  });
  const { disk } = world;
  const shown: Shown = { cli, disk, terminal, mouse, marks, drawn: options, ground: null, instance: null };
  const giveBack = takeTerminal(cli, mouse);
  const instance = render(draw(shown), { ...renderOptions, stdin, stdout: cli.stdout, stderr: cli.stderr });
  shown.instance = instance;
  const leaveSkin = watchSkin(shown);
  return {
    gone: instance
      .waitUntilExit()
      .then(
        () => null,
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      )
      .finally(async () => {
        leaveSkin();
        await answered();
        giveBack();
      }),
    close: () => instance.unmount(),
    show: (next) => {
      shown.drawn = next;
      redraw(shown);
    },
  };
};

const renderOptions = {
  alternateScreen: true,
  // Ink draws nothing where `CI` is set, unless it runs as interactive.
  interactive: true,
  // Screen reader users start with `--screen-reader`, which has no frames. Ink's own form of them does not
  // fit our frames.
  isScreenReaderEnabled: false,
  patchConsole: false,
  exitOnCtrlC: false,
  maxFps: 60,
} as const;

const draw = (shown: Shown) => {
  const { store, clock, port, quit } = shown.drawn;
  return (
    <App
      store={store}
      clock={clock}
      terminal={shown.terminal}
      mouse={shown.mouse}
      marks={shown.marks}
      theme={themeOf(shown)}
      port={{
        ...port,
        perform: async (intent) => {
          if (intent.type !== 'quit') return port.perform(intent);
          await quit(intent.how);
          shown.instance?.unmount();
          return null;
        },
      }}
    />
  );
};

const redraw = (shown: Shown): void => shown.instance?.rerender(draw(shown));

const themeNamed = ({ store }: ScreenOptions): string => selectPreferences(store.getState()).theme;

const themeOf = ({ cli, disk, drawn, ground }: Shown): ThemeOptions =>
  themeOfTerminal(cli, selectPreferences(drawn.store.getState()), disk, ground);

const takeGround = (shown: Shown, answer: Shown['ground']): void => {
  const before = themeOf(shown).background;
  shown.ground = answer;
  if (themeOf(shown).background !== before) redraw(shown);
};

/** Sets what Ink does not know, and gives the function that restores it, which runs on the first way out, including a crash of the program. */
const takeTerminal = (cli: Cli, mouse: Mouse): (() => void) => {
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
  cli.stdout.write(titleKept.push);
  return giveBack;
};

/** Redraws when the skin's file changes: a person who edits a skin sees it at once. Returns the function that ends it. */
const watchSkin = (shown: Shown): (() => void) => {
  const skin = skinFileOf(shown.cli.env, themeNamed(shown.drawn));
  if (skin === null) return () => {};
  const changed = (): void => redraw(shown);
  watchFile(skin, { interval: 1_000, persistent: false }, changed);
  return () => unwatchFile(skin, changed);
};
