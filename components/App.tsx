import { Box } from 'ink';
import { useCallback, useMemo, useState } from 'react';
import { createHitMap, HitContext } from '../hooks/hit-map.ts';
import { useCommandEffects } from '../hooks/use-command-effects.ts';
import { useCommands } from '../hooks/use-commands.ts';
import { useGoal } from '../hooks/use-goal.ts';
import { useHeldAnswer } from '../hooks/use-held-answer.ts';
import { useIssues } from '../hooks/use-issues.ts';
import { useLocalTime } from '../hooks/use-local-time.ts';
import { useMouse } from '../hooks/use-mouse.ts';
import { usePreviews } from '../hooks/use-previews.ts';
import { useReading } from '../hooks/use-reading.ts';
import { useTerminalPort } from '../hooks/use-terminal-port.ts';
import { useTerminalSize } from '../hooks/use-terminal-size.ts';
import { useView } from '../hooks/use-view.ts';
import type { Clock } from '../src/base/clock.ts';
import type { Store } from '../src/store/create-store.ts';
import { selectLayout } from '../src/store/layout.ts';
import { type Mouse, noMouse } from '../src/store/mouse.ts';
import { createPasteMarks, type PasteMarks } from '../src/store/paste-marks.ts';
import type { IntentPort } from '../src/store/ports/intent.ts';
import { noTerminalPort, type TerminalPort } from '../src/store/ports/terminal-port.ts';
import { isBlank } from '../src/store/session/select-header.ts';
import { Body } from './layout/Body.tsx';
import { Footer, NoticeStart } from './layout/Footer.tsx';
import { Header } from './layout/Header.tsx';
import { TopOverlay } from './overlays/TopOverlay.tsx';
import { ThemeContext } from './parts/theme-context.ts';
import { TypeContext } from './parts/type-context.ts';
import { behind, createTheme, type ThemeOptions } from './theme.ts';

interface AppProps {
  readonly store: Store;
  readonly port: IntentPort;
  readonly clock: Clock;
  readonly terminal?: TerminalPort;
  readonly mouse?: Mouse;
  readonly marks?: PasteMarks;
  readonly theme: ThemeOptions;
}

/** The whole screen, exactly as large as the terminal. Mount it with `alternateScreen`; whoever performs a quit unmounts it. */
export const App = ({
  store,
  port,
  clock,
  terminal = noTerminalPort,
  mouse = noMouse,
  marks: given,
  theme: options,
}: AppProps) => {
  const view = useView(store);
  const now = useLocalTime(view, clock, !options.ascii);
  const { columns, rows } = useTerminalSize(store);
  const [hits] = useState(createHitMap);
  const doAll = useCommandEffects(store, port, terminal, mouse);
  const [ownMarks] = useState(createPasteMarks);
  useCommands(store, clock, given ?? ownMarks, doAll);
  useHeldAnswer(store, clock, view, doAll);
  useMouse(store, mouse, hits, view, doAll);
  useTerminalPort(store, terminal, clock, view);
  useGoal(store, terminal, clock, view);
  usePreviews(store, port, view);
  useReading(store, port.viewer, view);
  useIssues(store, port.issues, clock, view);
  const theme = useMemo(() => createTheme(options), [options]);
  const faded = useMemo(() => behind(theme), [theme]);
  const isBehind = view.ui.overlays.some(({ kind }) => kind !== 'prompt');
  const onType = useCallback(
    (text: string) => store.act({ type: 'help-filtered', change: { text } }),
    [store],
  );
  // What nobody runs stands still, and its clocks with it.
  const standing =
    view.connection === 'stopped' && view.session ? { ...now, ms: Date.parse(view.session.at) } : now;
  const layout = selectLayout(view, columns, rows);
  return (
    <ThemeContext value={theme}>
      <HitContext value={hits}>
        <Box width={columns} height={rows} flexDirection="column" overflow="hidden">
          <Header view={view} now={now} columns={columns} />
          <ThemeContext value={isBehind ? faded : theme}>
            {isBlank(view) ? (
              <Box height={rows - 4} flexShrink={0} />
            ) : (
              <Body view={view} now={standing} layout={layout} />
            )}
          </ThemeContext>
          <Footer view={view} columns={columns} />
          <TypeContext value={onType}>
            <TopOverlay view={view} now={now} columns={columns} rows={rows} />
          </TypeContext>
          <NoticeStart view={view} columns={columns} rows={rows} />
        </Box>
      </HitContext>
    </ThemeContext>
  );
};
