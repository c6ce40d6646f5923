import { safe } from '../../base/safe.ts';
import { castHeader, castLine, grounds } from '../../page/export/cast.ts';
import { structureOf } from '../../page/export/structure.ts';
import type { Event } from '../../pipeline/event.ts';
import { parseDuration } from '../../tasks/duration.ts';
import { type Cli, usage } from '../cli.ts';
import { withOutput } from '../session/journal-feed.ts';
import type { OpenJournal } from '../session/open-session.ts';
import { createFrameWriter } from '../terminal/write-frame.ts';
import { cleanEvents } from './clean-events.ts';
import { frameSvg } from './frame-svg.ts';
import { learnSecrets } from './learn-secrets.ts';
import { type RecordOptions, recordScreen } from './record-screen.tsx';
import { recordingTimes, waitsOf } from './recording-times.ts';
import { createTally, type Tally } from './tally.ts';

/** What is recorded, without secrets. */
interface Recording {
  readonly events: readonly Event[];
  readonly removed: ReturnType<Tally['removed']>;
  readonly goal: string;
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly end: number;
  readonly screen: RecordOptions;
}

/** Prepares a session for recordings: its events with their output, redacted; `structure` leaves out every text. */
export const openRecording = (
  cli: Cli,
  session: OpenJournal,
  { size, light, structure }: { readonly size: string; readonly light: boolean; readonly structure: boolean },
): Recording => {
  const { world, paths, state } = session;
  learnSecrets(cli, session);
  const tally = createTally(world.secrets);
  const told = structure ? session.events : withOutput(world, paths, session.events);
  const clean = cleanEvents(tally, told).events;
  const events = structure ? structureOf(clean) : clean;
  const start = Date.parse(events[0]?.at ?? '');
  const end = Date.parse(events.at(-1)?.at ?? '');
  if (Number.isNaN(start) || Number.isNaN(end))
    throw usage('this session has no events to record', 'see `ralph-tui sessions`');
  const [, columns = 0, rows = 0] = (/^(\d{2,3})x(\d{2,3})$/.exec(size) ?? []).map(Number);
  if (columns < 60 || rows < 20 || columns > 300 || rows > 100)
    throw usage(`--size "${size}" is not a valid size`, 'write COLUMNSxROWS, from 60x20 to 300x100');
  return {
    events,
    removed: tally.removed(),
    goal: structure ? '' : tally.redact(safe(state.goal)),
    start,
    end,
    screen: {
      columns,
      rows,
      background: light ? 'light' : 'dark',
      offset: world.clock.offsetMinutes(end),
    },
  };
};

/** A picture of the screen at a time. */
export const drawPicture = async (recording: Recording, at: string | undefined): Promise<string> => {
  const { events, end, screen, goal } = recording;
  const ms = at === undefined ? end : timeOf(recording, at, '--at');
  let text = '';
  for await (const frame of recordScreen(events, [ms], screen)) text = frame.text;
  return frameSvg(text, { ...screen, label: `The screen of ralph-tui${goal === '' ? '' : `: ${goal}`}` });
};

interface CastOptions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly speed: number;
}

/** Longest wait in a recording, in milliseconds. */
const idle = 2_000;

/** The replay as an asciicast. */
export const drawCast = async (recording: Recording, options: CastOptions): Promise<string> => {
  const { events, start, end, screen, goal } = recording;
  const { columns, rows } = screen;
  const from = options.from === undefined ? start : timeOf(recording, options.from, '--from');
  const to = options.to === undefined ? end : timeOf(recording, options.to, '--to');
  if (to <= from) throw usage('the recording would be empty', 'give --to a later time than --from');
  const plan = { from, to, speed: options.speed, idle };
  const times = recordingTimes(events, plan);
  const waits = waitsOf(times, plan);
  const title = goal === '' ? 'ralph-tui' : `ralph-tui: ${goal}`;
  const ground = grounds[screen.background];
  const lines = [castHeader({ columns, rows, title, timestamp: Math.floor(start / 1_000), ground })];
  let bytes = '';
  const writeFrame = createFrameWriter({ columns, rows, write: (text) => (bytes += text) });
  let index = 0;
  let waited = 0;
  for await (const frame of recordScreen(events, times, screen)) {
    for (; index < times.length && (times[index] ?? 0) <= frame.ms; index += 1) waited += waits[index] ?? 0;
    bytes = '';
    writeFrame(frame.text);
    if (bytes === '') continue;
    lines.push(castLine(waited, bytes));
    waited = 0;
  }
  // The last picture stays as long as nothing changed in the session.
  for (; index < times.length; index += 1) waited += waits[index] ?? 0;
  lines.push(castLine(waited, ''));
  return `${lines.join('\n')}\n`;
};

/** A time of the session: `90s` after its start, `14:05:09` on the day of its start, or ISO 8601. Times outside it are its start and its end. */
const timeOf = ({ start, end, screen }: Recording, text: string, option: string): number => {
  const after = /\d$/.test(text) ? null : parseDuration(text);
  const offset = screen.offset * 60_000;
  const day = new Date(start + offset).toISOString().slice(0, 10);
  const clock = /^\d{1,2}:\d{2}(?::\d{2})?$/.test(text)
    ? Date.parse(
        `${day}T${text.padStart(text.length === 4 || text.length === 7 ? text.length + 1 : text.length, '0')}Z`,
      ) - offset
    : Date.parse(text);
  const ms = after === null ? clock : start + after;
  if (Number.isNaN(ms))
    throw usage(
      `${option} "${safe(text)}" is not a time`,
      'use a value such as 90s, 14:05:09 or 2026-02-15T14:05:09Z',
    );
  return Math.max(start, Math.min(end, ms));
};
