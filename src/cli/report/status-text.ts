import { unmergedWords } from '../../../components/changes/changed-files-words.ts';
import { selectLeft } from '../../../components/end/select-summary.ts';
import { selectAgain } from '../../../components/frame/select-again.ts';
import { permissionTitle } from '../../../components/permission/select-permission.ts';
import { type Fault, formatFault } from '../../base/fault.ts';
import { printedCommand } from '../../base/process/printed-command.ts';
import { safe } from '../../base/safe.ts';
import { type Spending, usageBy } from '../../pipeline/agents/spending.ts';
import { isHeldOnResume } from '../../pipeline/evolve/session.ts';
import { rosterOf } from '../../pipeline/modes/flow/roster.ts';
import { isComplete } from '../../session/status.ts';
import { mergedWords } from '../../words/changes-words.ts';
import { formatStatus as formatStopped } from '../../words/format-status.ts';
import { timeWords } from '../../words/left-words.ts';
import {
  count,
  formatElapsed,
  formatSince,
  formatTimeOfDay,
  type LocalTime,
} from '../../words/local-time.ts';
import { optionsWords, questionWords } from '../../words/question-words.ts';
import { againCommand, answerCommand, resumeCommand, sessionCommand } from '../../words/session-command.ts';
import { stateWord } from '../../words/state-words.ts';
import { refusedWords } from '../../words/stream-words.ts';
import { messagesWords } from '../../words/team-words.ts';
import { loopSummary } from '../../words/turn-words.ts';
import { confirmCommand } from '../../words/unproven.ts';
import { usageWords } from '../../words/usage-words.ts';
import { doing, taskWords } from '../../words/work-words.ts';
import { hostWords } from '../session/host-life.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { LoopStatus } from './loop-report.ts';
import type { StatusReport } from './status-report.ts';
import { leftUnmerged } from './unmerged-report.ts';

/** `ralph-tui status` for people: status, working agents, failures, waiting decisions, and the next command to type. */
export const formatStatus = (report: StatusReport, state: OpenSession['state'], now: LocalTime): string => {
  const alive = report.host?.alive === true;
  const place = stateWord(report.state, state.mode, report.status);
  const rows: readonly (readonly [label: string, text: string])[] = [
    ['goal', safe(report.goal)],
    ['status', heldWords(report)],
    [
      'state',
      report.loop === null && report.iteration > 1 ? `${place}, iteration ${report.iteration}` : place,
    ],
    report.loop === null ? ['tasks', taskCounts(report)] : ['loop', loopWords(report.loop, state)],
    ['left', report.time_left === null ? '' : timeLeftWords(report.time_left)],
    ...selectLeft(state).map((line) => ['', line] as const),
    ...(alive ? [] : mergedWords(state, '')).map(
      (line, index) => [index === 0 ? 'changes' : '', safe(line)] as const,
    ),
    ...refusedWords(state).map((line, index) => [index === 0 ? 'request' : '', line] as const),
    ['unmerged', unmergedLine(report, state)],
    ...(alive ? working(state, now) : []),
    ...usageRows(state.spending),
    ['host', report.host ? hostWords(report.host) : 'no process is running the session'],
    ...teamRows(report, state, now),
    ['', report.messages === null ? '' : messagesWords(report.messages)],
    ...(report.pending_signals > 0 ? [['signals', `${report.pending_signals} pending`] as const] : []),
    ...waiting(report, [...permissionWords(report, state, now), ...attemptWords(report, state, now)]),
    ...problems(report),
    ...next(report, state),
  ];
  return [
    `Session ${report.session_id} in ${safe(report.workspace)}`,
    ...rows.filter(([, text]) => text !== '').map(([label, text]) => `  ${label.padEnd(8)}  ${text}`),
  ].join('\n');
};

const unmergedLine = ({ unmerged, host, session_id }: StatusReport, state: OpenSession['state']): string => {
  const left = leftUnmerged({ state, host }, unmerged ?? []);
  return left.length === 0 ? '' : unmergedWords(left, (words) => sessionCommand(session_id, words));
};

/** What agents used, in all and by role where several did. */
const usageRows = (spending: Spending) => {
  const roles = [...usageBy(spending, ({ role }) => role)];
  return [
    ['used', usageWords(spending.values())] as const,
    ...(roles.length > 1
      ? roles.map(([role, spent]) => ['', `  ${role.padEnd(11)} ${usageWords(spent)}`] as const)
      : []),
  ];
};

/** One line for each worker of a team: what it does and for how long, or why it is idle. */
const teamRows = ({ team }: StatusReport, session: OpenSession['state'], now: LocalTime) => {
  const roster = rosterOf(session, (id) => taskWords(session, id));
  const whyOf = new Map(roster.map((entry) => [entry.worker, entry.why]));
  return team.map(({ worker, program, state, task, why, since, tasks_done }, index) => {
    const what = task === null ? state : `${state} on ${taskWords(session, task)}`;
    const words = [
      state === 'left' ? what : `${what} ${formatSince(since, now)}`,
      safe(whyOf.get(worker) ?? why),
      safe(program ?? ''),
      tasks_done === 0 ? '' : `${count(tasks_done, 'task')} done`,
    ];
    return [
      index === 0 ? 'team' : '',
      `${safe(worker).padEnd(13)} ${words.filter((word) => word !== '').join(' · ')}`,
    ] as const;
  });
};

/** "about 12 min, decided by build". */
const timeLeftWords = ({ ms, least_ms, most_ms, task }: NonNullable<StatusReport['time_left']>): string =>
  `${timeWords({ ms, leastMs: least_ms, mostMs: most_ms })}${task === null ? '' : `, decided by ${safe(task)}`}`;

const heldWords = ({ status, stop_reason, held }: StatusReport): string =>
  `${formatStopped(status, stop_reason ?? '')}${held ? ', held' : ''}`;

const taskCounts = ({ tasks }: StatusReport): string =>
  [
    `${tasks.completed} of ${tasks.total} done`,
    ...(tasks.by_hand > 0 ? [`${tasks.by_hand} by hand`] : []),
    ...(tasks.failed > 0 ? [`${tasks.failed} failed`] : []),
    ...(tasks.cancelled > 0 ? [`${tasks.cancelled} cancelled`] : []),
    ...(tasks.unreachable > 0 ? [`${tasks.unreachable} unreachable`] : []),
  ].join(', ');

/** "3 turns, 1 failed · 2 of 5 boxes · at most 10 turns and 9h00". */
const loopWords = ({ last_turn, runtime_until }: LoopStatus, state: OpenSession['state']): string => {
  const limits = [
    ...(last_turn === null ? [] : [count(last_turn, 'turn')]),
    ...(runtime_until === null ? [] : [formatElapsed(runtime_until)]),
  ];
  return `${loopSummary(state)}${limits.length === 0 ? '' : ` · at most ${limits.join(' and ')}`}`;
};

/** One line for each working agent. */
const working = (state: OpenSession['state'], now: LocalTime) =>
  [...state.invocations.values()]
    .filter(({ stage }) => stage === 'running')
    .map((invocation, index) => [index === 0 ? 'now' : '', doing(state, invocation, now)] as const);

/** Requests of agents that wait for a key on the screen. */
const permissionWords = (
  { permissions, session_id }: StatusReport,
  state: OpenSession['state'],
  now: LocalTime,
): readonly string[] =>
  permissions.map(({ request, task, asks, since }) => {
    const open = state.permissions.get(request);
    const where = task === null ? '' : ` on ${safe(task)}`;
    return `permission: ${open === undefined ? '' : permissionTitle(open)} \`${safe(asks)}\`${where}, waiting ${formatSince(since, now)}; only a person answers it: \`u\` on a screen, \`ralph-tui attach ${session_id}\` opens one, or \`${printedCommand('ralph-tui', 'answer', request, 'once', '--session', session_id)}\``;
  });

/** Waiting decisions, each with the command that settles it. */
const waiting = (
  { gate, requests, unproven, next_deadline, session_id }: StatusReport,
  more: readonly string[],
) => {
  const here = ` --session ${session_id}`;
  const knowledge =
    gate?.gate === 'knowledge'
      ? [
          `${count(gate.files.length, 'lesson')} to keep or not (\`ralph-tui approve${here}\`, or \`ralph-tui skip${here}\`)`,
          ...gate.files.map((file) => `  ${safe(file)}`),
        ]
      : [];
  const asked = requests.flatMap((open) =>
    open.kind === 'permission'
      ? []
      : [
          `${safe(open.request)}: ${safe(questionWords(open))}${safe(optionsWords(open))}, \`${answerCommand(session_id, open)}\``,
        ],
  );
  const files = unproven.map(({ id, question }) => `${question} (\`${confirmCommand(session_id, id)}\`)`);
  return [
    ...[...more, ...knowledge, ...asked, ...files].map(
      (text, index) => [index === 0 ? 'waits' : '', text] as const,
    ),
    ...(next_deadline === null
      ? []
      : [['deadline', `${next_deadline}; after that, the lessons are carried forward`] as const]),
  ];
};

/** When the work continues by itself. */
const attemptWords = (
  { next_attempt, session_id, host }: StatusReport,
  { quotaUntil }: OpenSession['state'],
  now: LocalTime,
): readonly string[] => {
  if (next_attempt === null) return [];
  const why = quotaUntil === null ? 'a failed call is tried again' : 'quota used up: the next attempt is';
  const at = formatTimeOfDay(Date.parse(next_attempt), now);
  const command =
    host?.alive === true ? sessionCommand(session_id, 'signal RESUME') : resumeCommand(session_id, false);
  return [`${why} at ${at} (\`${command}\` tries now)`];
};

/** Problems of now, whatever happened before. */
const standing: ReadonlySet<string> = new Set(['journal-unreadable', 'cut-off']);

/** After a good end, problems on the way are history: prints only their number. */
const problems = ({ problems: found, status, session_id }: StatusReport) => {
  const isPast = ({ code }: Fault): boolean => status === 'completed' && !standing.has(code);
  const past = found.filter(isPast).length;
  return [
    ...found
      .filter((problem) => !isPast(problem))
      .map((problem) => ['problem', safe(formatFault(problem))] as const),
    ...(past === 0
      ? []
      : [
          [
            'problems',
            `${past} during the run, ${past === 1 ? '' : 'all '}resolved: \`ralph-tui status --session ${session_id} --json\` lists ${past === 1 ? 'it' : 'them'}`,
          ] as const,
        ]),
  ];
};

const next = ({ session_id, state, host, held, ...report }: StatusReport, session: OpenSession['state']) => {
  const release = `ralph-tui signal RESUME --session ${session_id}`;
  if (!report.resumable) return [];
  if (host?.alive === true) return held ? [['continue', release] as const] : [];
  const resume = resumeCommand(session_id, isHeldOnResume(session));
  if (!isComplete({ state, status: report.status }) || report.pending_signals > 0)
    return [['continue', resume] as const];
  if (report.feedback_needs_agent)
    return [['feedback', `needs an agent with a model:  ${resume} --agent NAME`] as const];
  if (report.feedback_waits)
    return [
      ['continue', `${resume} (starts iteration ${report.iteration + 1} with the waiting feedback)`] as const,
    ];
  const again = selectAgain(session);
  return again === null ? [] : [['again', againCommand(session_id, again, resume)] as const];
};
