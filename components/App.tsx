import { Box } from 'ink';
import type { Clock } from '../src/base/clock.ts';
import type { Store } from '../src/store/create-store.ts';
import type { IntentPort } from '../src/store/intent.ts';
import type { ThemeOptions } from './theme.ts';

export interface AppProps {
  readonly store: Store;
  readonly port: IntentPort;
  readonly clock: Clock;
  readonly theme: ThemeOptions;
}

/** The whole screen. Mount with `render(<App …/>, {alternateScreen: true, …})`; it leaves when the port has performed a quit. */
export const App = (_props: AppProps) => <Box />;
