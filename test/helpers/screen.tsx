import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { PassThrough } from 'node:stream';
import { Box, type DOMElement, render } from 'ink';
import { createRef } from 'react';
import { expect } from 'vitest';
import { App } from '../../components/App.tsx';
import { createStore, type Store } from '../../components/create-store.ts';
import type { ThemeOptions } from '../../components/draw/theme.ts';
import type { Mouse, Pointing } from '../../components/keys/mouse.ts';
import type { Intent } from '../../components/ports/intent.ts';
import { type IssuesPort, noIssues } from '../../components/ports/issues-port.ts';
import { noTerminalPort, type TerminalPort } from '../../components/ports/terminal-port.ts';
import type { ViewerPort } from '../../components/ports/viewer-port.ts';
import type { Connection } from '../../components/view.ts';
import drawByInk from '../../node_modules/ink/build/renderer.js';
import { evolve } from '../../src/pipeline/evolve.ts';
import { widthOf } from '../../src/words/width.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import type { Story } from './story.ts';
import { isLongForm } from './test-form.ts';

export interface ScreenOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly story?: Story;
  readonly connection?: Connection;
  readonly canLeaveRunning?: boolean;
  readonly terminal?: TerminalPort;
  readonly theme?: Partial<ThemeOptions>;
  readonly viewer?: ViewerPort;
  readonly issues?: IssuesPort;
  readonly previews?: Readonly<Record<string, string>>;
  /** What is the case before the first frame, which is then the only one that is drawn of it. */
  readonly prepare?: (store: Store) => void;
  /** What an engine does within a key, before the next thing that the key does. */
  readonly whenPerformed?: (intent: Intent, store: Store) => void;
}

/** The real screen on a terminal of a fixed size that keeps its last frame as text. */
export interface TestScreen {
  readonly store: Store;
  readonly clock: ManualClock;
  /** What keys asked of the outside, in order. */
  readonly intents: readonly Intent[];
  /** The last frame without colours, one string per row. */
  readonly rows: () => readonly string[];
  readonly frame: () => string;
  /** The last frame with its styles, as Ink's renderer drew it and as the program draws it. */
  readonly styled: () => { readonly ink: string; readonly ours: string };
  /** The last frame as Ink draws it, without colours. */
  readonly rowsByInk: () => readonly string[];
  /** How many frames were drawn. */
  readonly drawn: () => number;
  /** Sends keys, each as a chunk of its own: `p`, `enter`, `ctrl-c`, … */
  readonly press: (...keys: readonly string[]) => Promise<void>;
  /** Sends text as one chunk, as fast typing or a script does. */
  readonly type: (text: string) => Promise<void>;
  /** A bracketed paste, and the moment a person needs before the next key. */
  readonly paste: (text: string) => Promise<void>;
  /** Points at the first place in the frame that shows this text. */
  readonly click: (text: string) => Promise<void>;
  /** A mouse event at a cell. */
  readonly point: (pointing: Pointing) => Promise<void>;
  readonly wheel: (text: string, way: 'up' | 'down', notches?: number) => Promise<void>;
  /** Whether the terminal was asked to tell of its mouse. */
  readonly isMouseOn: () => boolean;
  readonly resize: (columns: number, rows: number) => Promise<void>;
  /** Draws the same screen in another theme. */
  readonly dress: (theme: Partial<ThemeOptions>) => Promise<void>;
  readonly settle: () => Promise<void>;
  readonly unmount: () => void;
}

export const openScreen = async (options: ScreenOptions = {}): Promise<TestScreen> => {
  const { story } = options;
  const clock = createManualClock(story ? { now: story.now() } : {});
  const store = createStore({
    clock,
    evolve,
    connection: options.connection ?? 'live',
    ...(options.canLeaveRunning === undefined ? {} : { canLeaveRunning: options.canLeaveRunning }),
  });
  if (story) store.load(story.events);
  options.prepare?.(store);
  const intents: Intent[] = [];
  const stdout = createStdout(options.columns ?? 80, options.rows ?? 24);
  const stdin = createStdin();
  const settle = (): Promise<void> => settleUntilStill(stdout.count);
  const port = {
    perform: (intent: Intent) => {
      intents.push(intent);
      options.whenPerformed?.(intent, store);
      return Promise.resolve(intent.type === 'publish' ? `sent: ${intent.signal.type}` : null);
    },
    viewer: options.viewer ?? nothingToRead,
    issues: options.issues ?? noIssues,
    preview: (file: string) => Promise.resolve(options.previews?.[file] ?? null),
  };
  const pointer = createPointer();
  const plain: ThemeOptions = { colours: 'none', ascii: false, background: 'dark', ...options.theme };
  // `debug` writes every frame whole and at once: what is tested is what is drawn, not how fast.
  const probe = createRef<DOMElement>();
  const app = (theme: ThemeOptions) => (
    <>
      <App
        store={store}
        port={port}
        terminal={options.terminal ?? noTerminalPort}
        mouse={pointer.mouse}
        clock={clock}
        theme={theme}
      />
      <Box ref={probe} position="absolute" />
    </>
  );
  const instance = render(app(plain), {
    stdout: stdout.stream,
    stdin: stdin.stream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
  });
  const send = async (chunk: string): Promise<void> => {
    stdin.stream.write(chunk);
    await settle();
  };
  await settle();
  let inked: { readonly at: number; readonly text: string } | null = null;
  // Ink's own way takes longer than all else that draws a frame: once a frame, and only for who asks.
  const byInk = (): string => {
    const at = stdout.count();
    if (inked?.at !== at) inked = { at, text: drawByInk(rootOf(probe.current), false).output };
    return inked.text;
  };
  const styled = () => ({
    get ink() {
      return byInk();
    },
    ours: stdout.last(),
  });
  let looked: { readonly at: number; readonly rows: readonly string[] } | null = null;
  // The program is built with its own way of drawing frames: what is tested is what both draw. The short form compares the golden frames alone.
  const rows = (): readonly string[] => {
    const at = stdout.count();
    if (looked?.at === at) return looked.rows;
    looked = { at, rows: rowsOf(stdout.last()) };
    if (isLongForm) expect(looked.rows, 'drawn by the program').toEqual(rowsOf(byInk()));
    return looked.rows;
  };
  const point = async (text: string, what: Pointing['what']): Promise<void> => {
    const row = rows().findIndex((line) => line.includes(text));
    expect(row, `"${text}" on the screen`).toBeGreaterThanOrEqual(0);
    const before = rows()[row]?.split(text)[0] ?? '';
    pointer.tell({ what, column: widthOf(before), row });
    await settle();
  };
  return {
    store,
    clock,
    intents,
    rows,
    frame: () => rows().join('\n'),
    styled,
    rowsByInk: () => rowsOf(byInk()),
    drawn: stdout.count,
    press: async (...keys) => {
      for (const key of keys) await send(codes[key] ?? key);
    },
    type: send,
    paste: async (text) => {
      await send(`\u001b[200~${text}\u001b[201~`);
      clock.advance(100);
    },
    click: (text) => point(text, 'press'),
    point: async (pointing) => {
      pointer.tell(pointing);
      await settle();
    },
    wheel: async (text, way, notches = 1) => {
      for (let notch = 0; notch < notches; notch += 1) await point(text, `wheel-${way}`);
    },
    isMouseOn: pointer.isOn,
    resize: async (columns, rows) => {
      stdout.resize(columns, rows);
      await settle();
    },
    dress: async (theme) => {
      instance.rerender(app({ ...plain, ...theme }));
      await settle();
    },
    settle,
    unmount: () => instance.unmount(),
  };
};

/** A mouse that tells what it is told. */
const createPointer = () => {
  const listeners = new Set<(pointing: Pointing) => void>();
  let on = false;
  const mouse: Mouse = {
    turn: (wanted) => {
      on = wanted;
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const tell = (pointing: Pointing): void => {
    for (const listener of listeners) listener(pointing);
  };
  return { mouse, tell, isOn: () => on };
};

/** A session without logs, reports and repository. */
const nothingToRead: ViewerPort = {
  readLog: () => Promise.resolve(null),
  searchLog: () => () => {},
  readReport: () => Promise.resolve(null),
  readDocument: () => Promise.resolve(null),
  readChanges: () => Promise.resolve({ files: [], diff: '', cut: false, missing: 'No repository.' }),
};

/** Bytes a terminal sends. A lone ESC is sent in its kitty form, which needs no waiting for what may follow. */
const codes: Readonly<Record<string, string>> = {
  enter: '\r',
  escape: '\u001b[27u',
  tab: '\t',
  'shift-tab': '\u001b[Z',
  space: ' ',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  home: '\u001b[H',
  end: '\u001b[F',
  pageup: '\u001b[5~',
  pagedown: '\u001b[6~',
  backspace: '\u007f',
  delete: '\u001b[3~',
  'alt-enter': '\u001b\r',
  ...Object.fromEntries([...'123456789'].map((digit) => [`alt-${digit}`, `\u001b${digit}`])),
  ...Object.fromEntries(
    [...'abcdefghijklmnopqrstuvwxyz'].map((pendingSignal) => [
      `ctrl-${pendingSignal}`,
      String.fromCharCode(pendingSignal.charCodeAt(0) - 96),
    ]),
  ),
};

/**
 * Turns of the real event loop until a few in a row have drawn nothing: React's effects and the port's promises are done then. On a machine that is busy
 * React puts off what it has to do to later turns; what is scheduled for when it is idle comes behind all of that.
 */
const settleUntilStill = async (drawn: () => number): Promise<void> => {
  for (let still = 0, before = drawn(); still < stillTurns; still += 1) {
    await new Promise<void>((resolve) => whenIdle(resolve));
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (drawn() !== before) still = 0;
    before = drawn();
  }
};
const stillTurns = 4;

/** Of the very scheduler that React uses here. */
const scheduler = createRequire(createRequire(import.meta.url).resolve('react-reconciler'))('scheduler');
const whenIdle = (run: () => void): void =>
  scheduler.unstable_scheduleCallback(scheduler.unstable_IdlePriority, run);

/** A frame without its styles, one string per row. */
const rowsOf = (frame: string): readonly string[] =>
  frame
    .replace(controls, '')
    .replace(/\n$/, '')
    .split('\n')
    .map((row) => row.trimEnd());

const rootOf = (node: DOMElement | null): DOMElement => {
  if (!node) throw new Error('the screen is gone');
  return node.parentNode ? rootOf(node.parentNode) : node;
};

const controls = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[78=>]/g;

const createStdout = (columns: number, rows: number) => {
  const emitter = new EventEmitter();
  let last = '';
  let frames = 0;
  const stream = Object.assign(emitter, {
    columns,
    rows,
    isTTY: true,
    writable: true,
    write: (text: string, ...rest: readonly unknown[]) => {
      const plain = text.replace(controls, '');
      if (plain.trim() !== '') {
        last = text;
        frames += 1;
      }
      const done = rest.at(-1);
      if (typeof done === 'function') done();
      return true;
    },
    end: () => stream,
  });
  return {
    // Ink asks for a stream and uses these members of one.
    stream: stream as unknown as NodeJS.WriteStream,
    last: () => last,
    count: () => frames,
    resize: (width: number, height: number) => {
      stream.columns = width;
      stream.rows = height;
      emitter.emit('resize');
    },
  };
};

const createStdin = () => {
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: () => stream,
    ref: () => stream,
    unref: () => stream,
  });
  return { stream: stream as unknown as NodeJS.ReadStream & PassThrough };
};

const golden = join(import.meta.dirname, '../golden');

/** Compares the frame with `test/golden/<name>.frame.txt`; `UPDATE_GOLDEN=1` writes it. */
export const expectGolden = (name: string, frame: string): void => {
  const file = join(golden, `${name}.frame.txt`);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${frame}\n`);
    return;
  }
  const known = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const { testPath = '' } = expect.getState();
  const keep = `UPDATE_GOLDEN=1 npx vitest run ${relative('.', testPath)}`;
  expect(`${frame}\n`, `when this frame of ${name} is right, \`${keep}\` keeps it`).toBe(known);
};
