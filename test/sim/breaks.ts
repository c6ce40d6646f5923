import type { ViewState } from '../../components/view.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import type { Event } from '../../src/pipeline/event.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import type { SimulatedSession } from '../helpers/engine-session.ts';
import type { SimulatedProgram } from '../helpers/simulated-spawn.ts';
import { breaksOfFlows } from './flow/breaks.ts';
import type { Act } from './flow/ledger.ts';
import type { SimMode } from './scenario.ts';
import { breaksOfTrains } from './train-breaks.ts';

/** A promise broken on purpose, in the run or in its record: shows that its guard sees it (`npm run sim -- --break <name>`). */
export interface Break {
  /** The sessions in which it can happen; default `waves`. */
  readonly mode?: SimMode;
  /** What the guards are told instead. */
  readonly tell?: (event: Event, state: SessionState) => readonly [Event, SessionState];
  readonly act?: (act: Act, state: SessionState) => Act;
  /** The state that guards are told with an act. */
  readonly leave?: (state: SessionState) => SessionState;
  readonly call?: (state: SessionState) => SessionState;
  readonly see?: (state: SessionState) => SessionState;
  readonly end?: (state: SessionState) => SessionState;
  readonly now?: () => string;
  readonly live?: (view: ViewState) => ViewState;
  readonly attached?: (view: ViewState) => ViewState;
  readonly program?: SimulatedProgram;
  /** Something meddles with the files before the program starts again, or before they are judged. */
  readonly beforeStart?: (session: SimulatedSession) => void;
  readonly beforeEnd?: (session: SimulatedSession) => void;
}

const held: SessionState['hold'] = {
  stage: 'paused',
  since: '',
  by: 'kim',
  signal: null,
  message: null,
  processes: 0,
};

const withOpenBox = (state: SessionState): SessionState =>
  state.loop === null
    ? state
    : {
        ...state,
        loop: {
          ...state.loop,
          looks: state.loop.looks.map((look) => ({
            ...look,
            focus: look.focus && { ...look.focus, open: 1 },
          })),
        },
      };

const asTask = (state: SessionState, status: 'open'): SessionState => ({
  ...state,
  tasks: new Map([...state.tasks].map(([id, task]) => [id, { ...task, status }])),
});

/** The journal as a list of lines that can be changed. */
const rewrite = (
  session: SimulatedSession,
  change: (lines: readonly string[]) => readonly string[],
): void => {
  const { journal } = session.paths;
  const lines = session.disk.text(journal).split('\n').filter(Boolean);
  session.disk.put(journal, `${change(lines).join('\n')}\n`);
};

/** The last line of a type once more, under the next number. */
const repeat =
  (type: Event['type']) =>
  (session: SimulatedSession): void =>
    rewrite(session, (lines) => {
      const line = lines.findLast((each) => each.includes(`"type":"${type}"`));
      return line === undefined ? lines : [...lines, line.replace(/"seq":\d+/, `"seq":${lines.length + 1}`)];
    });

const unlinkFirst = (session: SimulatedSession, fits: (path: string) => boolean): void => {
  const path = session.disk.tree('/work').find((each) => !each.endsWith('/') && fits(each));
  if (path !== undefined) session.disk.unlink(path);
};

const lastReport = (session: SimulatedSession): string | null => {
  const { events } = readJournal(session.disk, session.paths.journal);
  const done = new Set(events.flatMap((event) => (event.type === 'task.qualified' ? [event.task] : [])));
  const event = events.findLast(
    (each) =>
      each.type === 'invocation.ended' && each.outcome.role === 'Executor' && done.has(each.outcome.task_id),
  );
  if (event?.type !== 'invocation.ended' || event.outcome.role !== 'Executor') return null;
  return `${session.paths.directory}/${event.outcome.report_path}`;
};

/** A gate that a person or a deadline decided, as if a file without the record of a person had done so. */
const decideByForged = (session: SimulatedSession): void => {
  const { events } = readJournal(session.disk, session.paths.journal);
  const forged = events.find((event) => event.type === 'signal.pending' && event.pending.signal.unproven);
  if (forged?.type !== 'signal.pending') return;
  rewrite(session, (lines) =>
    lines.map((line) =>
      line.includes('"type":"gate.decided"') && !line.includes('"decision":"abort"')
        ? line.replace(/"signal":(?:null|"\w+")/, `"signal":"${forged.pending.id}"`)
        : line,
    ),
  );
};

const processed = (session: SimulatedSession): string | undefined =>
  session.disk.tree(`${session.paths.signals}/processed`)[0];

/** By the name that `--break` takes. */
export const breaks: Readonly<Record<string, Break>> = {
  unblocked: {
    tell: (event, state) => [event, event.type === 'invocation.started' ? asTask(state, 'open') : state],
  },
  'started-while-held': {
    tell: (event, state) => [event, event.type === 'invocation.started' ? { ...state, hold: held } : state],
  },
  'command-while-held': {
    tell: (event, state) => [event, event.type === 'command.started' ? { ...state, hold: held } : state],
  },
  'call-while-held': { call: (state) => ({ ...state, hold: held }) },
  'no-reason': { see: (state) => (state.running ? state : { ...state, stopReason: null }) },
  'reasonless-stop': {
    tell: (event, state) => [event.type === 'session.stopped' ? { ...event, reason: ' ' } : event, state],
  },
  'left-running': { program: { unverifiable: 1 } },
  'endless-program': { program: { runsMs: 'forever' } },
  'blank-line': { now: () => ' ' },
  'lost-result': {
    beforeStart: (session) => {
      if (session.disk.lstat(session.paths.journal) === null) return;
      rewrite(session, (lines) => {
        const last = lines.findLastIndex((line) => line.includes('"type":"invocation.ended"'));
        return last < 3 ? lines : lines.slice(0, last);
      });
    },
  },
  'doubled-result': { beforeEnd: repeat('task.qualified') },
  'lost-report': {
    beforeEnd: (session) => {
      const path = lastReport(session);
      if (path) session.disk.unlink(path);
    },
  },
  'overwritten-report': {
    beforeEnd: (session) => {
      const path = lastReport(session);
      if (path) session.disk.put(path, '# Task Report: other\n');
    },
  },
  'lost-signal': {
    beforeEnd: (session) => {
      const path = processed(session);
      if (path) session.disk.unlink(path);
    },
  },
  'doubled-signal': {
    beforeEnd: (session) => {
      const path = processed(session);
      if (path) session.disk.put(`${path.replace(/\.yaml$/, '')}-again.yaml`, session.disk.text(path));
    },
  },
  'stuck-signal': {
    end: (state) => ({
      ...state,
      signals: new Map([...state.signals].map(([id, life]) => [id, { ...life, stage: 'claimed' }])),
    }),
  },
  'signal-ended-twice': { beforeEnd: repeat('signal.handled') },
  'forged-decision': { beforeEnd: decideByForged },
  'withdrawn-in-vain': {
    beforeEnd: (session) => {
      for (const path of session.disk.tree(`${session.paths.signals}/processed`))
        session.disk.put(path, session.disk.text(path).replace('outcome: withdrawn', 'outcome: handled'));
    },
  },
  'lost-scrap': {
    beforeEnd: (session) => {
      for (const path of session.disk.tree(`${session.paths.signals}/rejected`))
        if (!path.endsWith('/')) session.disk.unlink(path);
    },
  },
  'promoted-twice': { beforeEnd: repeat('knowledge.promoted') },
  unpromoted: { beforeEnd: (session) => unlinkFirst(session, (path) => path.includes('/.docs/')) },
  'skipped-number': {
    beforeEnd: (session) => rewrite(session, (lines) => lines.filter((_, index) => index !== 3)),
  },
  'other-state': { end: (state) => ({ ...state, cycle: state.cycle + 1 }) },
  'blind-screen': { live: (view) => ({ ...view, session: null }) },
  'deaf-screen': { attached: (view) => ({ ...view, session: null }) },
  'open-box': {
    mode: 'loop',
    tell: (event, state) => [event, event.type === 'turn.decided' ? withOpenBox(state) : state],
  },
  'turn-after-drain': {
    mode: 'loop',
    tell: (event, state) => [event, { ...state, drain: { by: 'kim', signal: null, since: '' } }],
  },
  ...breaksOfFlows,
  ...breaksOfTrains,
  'unasked-stop': {
    see: (state) =>
      state.seq < 40
        ? state
        : {
            ...state,
            running: false,
            status: 'blocked',
            stopReason: 'research ended twice without a result; stopped by kim',
          },
  },
};
