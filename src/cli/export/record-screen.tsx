import { Socket } from 'node:net';
import { render } from 'ink';
import { App } from '../../../components/App.tsx';
import { createStore } from '../../../components/create-store.ts';
import type { IntentPort } from '../../../components/ports/intent.ts';
import { noIssues } from '../../../components/ports/issues-port.ts';
import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../pipeline/event.ts';
import { evolve } from '../../pipeline/evolve.ts';

export interface RecordOptions {
  readonly columns: number;
  readonly rows: number;
  readonly background: 'dark' | 'light';
  /** Minutes east of UTC. */
  readonly offset: number;
}

/** A frame of the screen: `rows` lines with their styles, and the time of the journal that it shows. */
interface RecordedFrame {
  readonly ms: number;
  readonly text: string;
}

/**
 * Draws the screen of a session as its own terminal showed it at these times, in order, without a terminal: with the keys that steered it. A frame that looks
 * like the one before is left out.
 */
export async function* recordScreen(
  events: readonly Event[],
  times: readonly number[],
  { columns, rows, background, offset }: RecordOptions,
): AsyncGenerator<RecordedFrame> {
  const store = createStore({
    clock: standingClock(0, offset),
    evolve,
    connection: 'live',
    canLeaveRunning: true,
  });
  const output = createOutput(columns, rows);
  const input = createInput();
  const screenAt = (ms: number) => (
    <App
      store={store}
      port={noPort}
      clock={standingClock(ms, offset)}
      theme={{ colours: 'true', ascii: false, background }}
    />
  );
  const instance = render(
    screenAt(Date.parse(events[0]?.at ?? '')),
    // `debug` hands over every frame whole and at once.
    {
      stdout: output.stream,
      stdin: input,
      debug: true,
      interactive: true,
      exitOnCtrlC: false,
      patchConsole: false,
      isScreenReaderEnabled: false,
    },
  );
  try {
    let played = 0;
    let last = '';
    for (const ms of times) {
      const until = firstAfter(events, ms, played);
      if (until > played) store.load(events.slice(played, until));
      played = until;
      instance.rerender(screenAt(ms));
      await settle(output.drawn);
      const text = output.last();
      if (text !== last) yield { ms, text };
      last = text;
    }
  } finally {
    instance.unmount();
    input.destroy();
  }
}

const firstAfter = (events: readonly Event[], ms: number, from: number): number => {
  let index = from;
  while (index < events.length && Date.parse(events[index]?.at ?? '') <= ms) index += 1;
  return index;
};

/** It is the time that is drawn. */
const standingClock = (ms: number, offset: number): Clock => ({
  now: () => ms,
  monotonic: () => ms,
  offsetMinutes: () => offset,
  after: () => () => {},
});

/** A recording is steered by nobody, and reads nothing beside the journal. */
const noPort: IntentPort = {
  perform: async () => null,
  preview: async () => null,
  issues: noIssues,
  viewer: {
    readLog: async () => null,
    searchLog: () => () => {},
    readReport: async () => null,
    readDocument: async () => null,
    readChanges: async () => ({ files: [], diff: '', cut: false, missing: null }),
  },
};

/** Turns of the event loop in a row without a frame, after which React has nothing left to do. */
const stillTurns = 4;

const settle = async (drawn: () => number): Promise<void> => {
  for (let still = 0, before = drawn(); still < stillTurns; still += 1) {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    if (drawn() !== before) still = 0;
    before = drawn();
  }
};

/** What ends a frame of Ink. */
const frameEnd = /\n+$/;
/** Switches of terminal modes are no frame. */
const isFrame = (text: string): boolean => text.includes('\n');

/** A terminal of this size that keeps its last frame. Nothing is connected to the socket: it only has the members that Ink asks for. */
const createOutput = (columns: number, rows: number) => {
  let last = '';
  let drawn = 0;
  const write = (...args: readonly unknown[]): boolean => {
    const [text] = args;
    if (typeof text === 'string' && isFrame(text)) {
      last = text.replace(frameEnd, '');
      drawn += 1;
    }
    const done = args.at(-1);
    if (typeof done === 'function') done();
    return true;
  };
  const nothing = (): boolean => true;
  const size: [number, number] = [columns, rows];
  const isTTY: true = true;
  const stream = Object.assign(new Socket(), {
    columns,
    rows,
    isTTY,
    write,
    clearLine: nothing,
    clearScreenDown: nothing,
    cursorTo: nothing,
    moveCursor: nothing,
    getColorDepth: () => 24,
    hasColors: nothing,
    getWindowSize: () => size,
  });
  return { stream, last: () => last, drawn: () => drawn };
};

/** A keyboard that nobody touches. */
const createInput = () => {
  const isTTY: true = true;
  const stream: Socket & { isRaw: boolean; isTTY: true; setRawMode: () => typeof stream } = Object.assign(
    new Socket(),
    { isRaw: false, isTTY, setRawMode: () => stream },
  );
  return stream;
};
