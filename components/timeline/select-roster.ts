import { safe } from '../../src/base/safe.ts';
import { type RosterEntry, rosterOf, teamMessages } from '../../src/pipeline/modes/flow/roster.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { count, formatElapsed, formatSince, formatWait, type LocalTime } from '../../src/words/local-time.ts';
import { messagesWords } from '../../src/words/team-words.ts';
import { costWord, shortCount } from '../../src/words/usage-words.ts';
import { workStart } from '../../src/words/work-words.ts';
import { askingSince } from '../tasks/asks-of.ts';
import { atRunner } from '../tasks/select-runners.ts';
import type { ViewState } from '../view.ts';

/** An agent at work, in words for one line. '' is unknown. */
export interface RosterLine {
  readonly id: string;
  readonly task: string | null;
  readonly attempt: number | null;
  /** `asks`: it waits for a person. `waiting`: a worker of a team without a task. */
  readonly stage: 'running' | 'asks' | 'paused' | 'waiting';
  /** "Executor", "script". */
  readonly role: string;
  /** "Gemini CLI", "script @gpu". */
  readonly agent: string;
  /** Its name in a team; '' outside one. */
  readonly worker: string;
  /** "english #2", or what it does without a task. */
  readonly work: string;
  readonly elapsed: string;
  /** "asks you 0:39"; "silent 0:42", while it has printed nothing for a while. */
  readonly silent: string;
  /** Output in the last minute, in parts of 5 seconds, each from 0 to 8. */
  readonly pulse: readonly number[];
  /** "12.3k tokens". */
  readonly tokens: string;
  /** "$0.03", "0.03 EUR". */
  readonly cost: string;
}

const parts = 12;
/** Shorter silence is not mentioned. */
const silentAfterMs = 10_000;

/** The agents at work, in the order of their starts; of a team every worker, with why it is idle. */
export const selectRoster = (view: ViewState, now: LocalTime): readonly RosterLine[] => {
  const { session } = view;
  if (session === null || view.connection === 'stopped') return [];
  const team = rosterOf(session).filter(({ state }) => state !== 'left');
  const others = atWork(view, session, now);
  if (team.length === 0) return others;
  const own = team.map((entry) => {
    const line = others.find(({ id }) => id === entry.invocation?.id);
    return line === undefined ? idleLine(entry, now) : { ...line, worker: safe(entry.worker) };
  });
  const shown = new Set(own.map(({ id }) => id));
  return [...own, ...others.filter(({ id }) => !shown.has(id))];
};

/** How often the workers of a team used messages; '' without one, and until they did. */
export const selectTeamMessages = ({ session }: ViewState): string => {
  const messages = session === null ? null : teamMessages(session);
  return messages === null || messages.sent + messages.refused === 0 ? '' : messagesWords(messages);
};

const idleLine = ({ worker, state, task, why, since, done }: RosterEntry, now: LocalTime): RosterLine => ({
  id: `worker:${worker}`,
  task,
  attempt: null,
  stage: 'waiting',
  role: 'Executor',
  agent: '',
  worker: safe(worker),
  work: safe(task ?? 'idle'),
  elapsed: formatWait(since, now),
  silent: safe(state === 'idle' ? why : 'starts'),
  pulse: [],
  tokens: done === 0 ? '' : `${count(done, 'task')} done`,
  cost: '',
});

const atWork = (view: ViewState, session: SessionState, now: LocalTime): readonly RosterLine[] => {
  const { rates } = view;
  return [...session.invocations.values()].flatMap((invocation): readonly RosterLine[] => {
    const { id, stage, role, backend, task, attempt, mode, agent } = invocation;
    if (stage !== 'running' && stage !== 'paused') return [];
    const counts = rates.of(id, now.ms, parts);
    const lastAt = rates.lastAt(id) ?? Date.parse(invocation.startedAt);
    const quiet = stage === 'running' && now.ms - lastAt >= silentAfterMs;
    const asks = stage === 'running' ? askingSince(session, id) : null;
    const stands = invocation.standsSince;
    const from = workStart(session, invocation);
    return [
      {
        id,
        task,
        attempt,
        stage: asks === null ? stage : 'asks',
        role,
        agent: `${safe(agent?.label || backend)}${atRunner(invocation)}`,
        worker: '',
        work:
          task === null
            ? mode.toLowerCase().replaceAll('_', ' ')
            : `${task}${attempt !== null && attempt > 1 ? ` #${attempt}` : ''}`,
        elapsed:
          stands === null ? formatSince(from, now) : formatElapsed(Date.parse(stands) - Date.parse(from)),
        silent:
          asks !== null
            ? `asks you ${formatWait(asks, now)}`
            : stage === 'paused'
              ? 'paused'
              : quiet
                ? `silent ${formatElapsed(now.ms - lastAt)}`
                : '',
        pulse: levels(counts),
        tokens: agent?.context ? `${shortCount(agent.context.used)} tokens` : '',
        cost: agent?.cost ? costWord(agent.cost) : '',
      },
    ];
  });
};

/** Each count as a level of a sparkline. Levels grow with the logarithm: agents print by the line or by the page. */
const levels = (counts: readonly number[]): readonly number[] =>
  counts.map((count) => (count === 0 ? 0 : Math.min(8, 1 + Math.floor(Math.log2(1 + count / 40)))));
