import { render } from 'ink';
import { App } from '../../components/App.tsx';
import type { ThemeOptions } from '../../components/theme.ts';
import type { Clock } from '../base/clock.ts';
import type { Store } from '../store/create-store.ts';
import type { Intent, IntentPort, QuitChoice, TravelIntent } from '../store/intent.ts';
import type { Preferences } from '../store/preferences.ts';
import { selectPreferences } from '../store/select-preferences.ts';
import type { Cli } from './cli.ts';
import { createDesk, titleKept } from './create-desk.ts';
import { createMouse } from './create-mouse.ts';
import { keepMemorySmall } from './keep-memory-small.ts';
import { createWorld } from './world.ts';

export interface ScreenOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly port: Omit<IntentPort, 'perform'> & {
    readonly perform: (intent: WorldIntent) => Promise<string | null>;
  };
  /** Does what the choice asks of the engine; the screen goes when it resolves. */
  readonly quit: (choice: QuitChoice) => Promise<void>;
}

/** What keys ask of the world, but for leaving it. */
export type WorldIntent = Exclude<Intent, { type: 'quit' }>;

/** What keys ask of one session. */
export interface SessionPort extends Omit<IntentPort, 'perform'> {
  readonly perform: (intent: Exclude<WorldIntent, TravelIntent>) => Promise<string | null>;
}

export interface Screen {
  /** Resolves when the terminal is the person's own again; with the error when it was the screen itself that broke. */
  readonly gone: Promise<Error | null>;
  readonly close: () => void;
  /** Turns to another session without leaving the screen. */
  readonly show: (options: ScreenOptions) => void;
}

/** Shows the full screen on the alternate buffer; the normal screen comes back untouched. */
export const openScreen = (cli: Cli, options: ScreenOptions): Screen => {
  keepMemorySmall();
  cli.typed.giveBack();
  const world = createWorld();
  const desk = createDesk(cli, world);
  const { mouse, stdin } = createMouse(cli, world.clock);
  const draw = ({ store, clock, port, quit }: ScreenOptions) => (
    <App
      store={store}
      clock={clock}
      desk={desk}
      mouse={mouse}
      theme={themeOf(cli, selectPreferences(store.getState()))}
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
  // What Ink does not know of is given back by whichever way out comes first, a crash of the program too.
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
  // Ink does it only after the first frame: a key that is pressed in that moment would be printed into it.
  cli.stdin.setRawMode(true);
  cli.stdout.write(titleKept.push);
  const instance = render(draw(options), {
    stdin,
    stdout: cli.stdout,
    stderr: cli.stderr,
    alternateScreen: true,
    // Ink draws nothing where `CI` is set unless it is told that somebody is there.
    interactive: true,
    // Whoever listens asks for `--screen-reader`, which has no frames at all; Ink's own form of them is not what we draw.
    isScreenReaderEnabled: false,
    patchConsole: false,
    exitOnCtrlC: false,
    maxFps: 60,
  });
  return {
    gone: instance
      .waitUntilExit()
      .then(
        () => null,
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      )
      .finally(giveBack),
    close: () => instance.unmount(),
    show: (next) => instance.rerender(draw(next)),
  };
};

/** What a person set comes first, and NO_COLOR before all; else what the terminal says of itself (COLORTERM, TERM, COLORFGBG). */
const themeOf = (
  { env, ascii }: Pick<Cli, 'env' | 'ascii'>,
  preferences: Pick<Preferences, 'theme' | 'ascii'>,
): ThemeOptions => ({
  colours: preferences.theme === 'none' ? 'none' : coloursOf(env),
  ascii: ascii || preferences.ascii || env['TERM'] === 'linux',
  background: backgroundOf(env, preferences.theme),
});

const backgroundOf = (env: Cli['env'], theme: Preferences['theme']): ThemeOptions['background'] => {
  if (theme === 'light' || theme === 'dark') return theme;
  return /;(7|15)$/.test(env['COLORFGBG'] ?? '') ? 'light' : 'dark';
};

const coloursOf = (env: Cli['env']): ThemeOptions['colours'] => {
  if (env['NO_COLOR']) return 'none';
  if (/truecolor|24bit/.test(env['COLORTERM'] ?? '')) return 'true';
  return (env['TERM'] ?? '').includes('256') ? '256' : '16';
};
