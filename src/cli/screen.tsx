import { render } from 'ink';
import { App } from '../../components/App.tsx';
import type { ThemeOptions } from '../../components/theme.ts';
import type { Clock } from '../base/clock.ts';
import type { Store } from '../store/create-store.ts';
import type { IntentPort, QuitChoice } from '../store/intent.ts';
import type { Cli } from './cli.ts';

export interface ScreenOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ascii: boolean;
  /** Everything but quitting. */
  readonly port: Omit<IntentPort, 'perform'> & {
    readonly perform: (intent: WorldIntent) => Promise<string | null>;
  };
  /** Does what the choice asks of the engine; the screen goes when it resolves. */
  readonly quit: (choice: QuitChoice) => Promise<void>;
}

type WorldIntent = Exclude<Parameters<IntentPort['perform']>[0], { type: 'quit' }>;

export interface Screen {
  /** Resolves when the terminal is the person's own again. */
  readonly gone: Promise<void>;
  readonly close: () => void;
}

/** Shows the full screen on the alternate buffer; the normal screen comes back untouched. */
export const openScreen = (cli: Cli, options: ScreenOptions): Screen => {
  const port: IntentPort = {
    preview: options.port.preview,
    perform: async (intent) => {
      if (intent.type !== 'quit') return options.port.perform(intent);
      await options.quit(intent.how);
      instance.unmount();
      return null;
    },
  };
  const instance = render(
    <App store={options.store} port={port} clock={options.clock} theme={themeOf(cli.env, options.ascii)} />,
    {
      stdin: cli.stdin,
      stdout: cli.stdout,
      stderr: cli.stderr,
      alternateScreen: true,
      // Ink draws nothing where `CI` is set unless it is told that somebody is there.
      interactive: true,
      patchConsole: false,
      exitOnCtrlC: false,
      maxFps: 60,
    },
  );
  return { gone: instance.waitUntilExit().then(() => undefined), close: () => instance.unmount() };
};

/** NO_COLOR first; else what the terminal says of itself (COLORTERM, TERM, COLORFGBG). */
export const themeOf = (env: Cli['env'], ascii: boolean): ThemeOptions => ({
  colours: coloursOf(env),
  ascii: ascii || env['TERM'] === 'linux',
  background: /;(7|15)$/.test(env['COLORFGBG'] ?? '') ? 'light' : 'dark',
});

const coloursOf = (env: Cli['env']): ThemeOptions['colours'] => {
  if (env['NO_COLOR']) return 'none';
  if (/truecolor|24bit/.test(env['COLORTERM'] ?? '')) return 'true';
  return (env['TERM'] ?? '').includes('256') ? '256' : '16';
};
