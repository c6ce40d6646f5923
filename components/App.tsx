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
import type { Store } from './create-store.ts';
import { Footer, NoticeStart } from './draw/Footer.tsx';
import { behind, createTheme, type ThemeOptions } from './draw/theme.ts';
import { ThemeContext } from './draw/theme-context.tsx';
import { TypeContext } from './draw/type-context.tsx';
import { Body } from './frame/Body.tsx';
import { Header } from './frame/Header.tsx';
import { isBlank } from './frame/select-header.ts';
import { type Mouse, noMouse } from './keys/mouse.ts';
import { createPasteMarks, type PasteMarks } from './keys/paste-marks.ts';
import { selectLayout } from './layout.ts';
import type { IntentPort } from './ports/intent.ts';
import { noTerminalPort, type TerminalPort } from './ports/terminal-port.ts';
import { TopOverlay } from './TopOverlay.tsx';

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
