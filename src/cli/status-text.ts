import { formatFault } from '../base/fault.ts';
import { safe } from '../base/safe.ts';
import { count, type Moment } from '../store/moment.ts';
import { selectSummary } from '../store/select-summary.ts';
import { doing } from '../store/work-words.ts';
import type { OpenSession } from './open-session.ts';
import type { StatusReport } from './status-report.ts';

/** `ralph-tui status` for people: how the session stands, what works now, what went wrong, what waits, and what to type next. */
export const formatStatus = (report: StatusReport, state: OpenSession['state'], now: Moment): string => {
  const alive = report.host?.alive === true;
  const rows: readonly (readonly [label: string, text: string])[] = [
    ['goal', safe(report.goal)],
    ['status', statusWords(report)],
    [
      'state',
      `${report.state}, iteration ${report.iteration}${report.wave === null ? '' : `, wave ${report.wave}`}`,
    ],
    ['tasks', taskCounts(report)],
    ...selectSummary({ session: state })
      .slice(1)
      .map((line) => ['', line] as const),
    ...(alive ? working(state, now) : []),
    ['host', report.host ? `pid ${report.host.pid}, ${alive ? 'running' : 'gone'}` : 'nobody runs it'],
    ...(report.pending_signals > 0 ? [['signals', `${report.pending_signals} pending`] as const] : []),
    ...waiting(report),
    ...problems(report),
    ...next(report),
  ];
  return [
    `Session ${report.session_id} in ${safe(report.workspace)}`,
    ...rows.filter(([, text]) => text !== '').map(([label, text]) => `  ${label.padEnd(8)}  ${text}`),
  ].join('\n');
};

const statusWords = ({ status, stop_reason, held }: StatusReport): string => {
  const reason = stop_reason && stop_reason !== status ? ` (${safe(stop_reason)})` : '';
  return `${status.replaceAll('_', ' ')}${reason}${held ? ', held' : ''}`;
};

const taskCounts = ({ tasks }: StatusReport): string =>
  [
    `${tasks.completed} of ${tasks.total} done`,
    ...(tasks.failed > 0 ? [`${tasks.failed} failed`] : []),
    ...(tasks.cancelled > 0 ? [`${tasks.cancelled} cancelled`] : []),
    ...(tasks.unreachable > 0 ? [`${tasks.unreachable} unreachable`] : []),
  ].join(', ');

/** One line for each agent at work. */
const working = (state: OpenSession['state'], now: Moment) =>
  [...state.invocations.values()]
    .filter(({ stage }) => stage === 'running')
    .map((invocation, index) => [index === 0 ? 'now' : '', doing(invocation, now)] as const);

/** Each with the command that settles it. */
const waiting = ({ gate, requests, next_deadline }: StatusReport) => {
  const knowledge =
    gate?.gate === 'knowledge'
      ? [
          `knowledge: ${count(gate.files.length, 'file')} to approve (\`ralph-tui approve\`, or \`ralph-tui skip\`)`,
          ...gate.files.map((file) => `  ${safe(file)}`),
        ]
      : [];
  const asked = requests.map(
    ({ request, text }) => `${safe(request)}: ${safe(text)} (\`ralph-tui answer ${safe(request)}\`)`,
  );
  return [
    ...[...knowledge, ...asked].map((text, index) => [index === 0 ? 'waits' : '', text] as const),
    ...(next_deadline === null
      ? []
      : [['deadline', `${next_deadline}, then it is carried forward`] as const]),
  ];
};

/** After a good end they are history: a number is enough. */
const problems = ({ problems: found, status }: StatusReport) => {
  if (found.length > 0 && status === 'completed')
    return [
      [
        'problems',
        `${found.length} on the way, all of the past: \`ralph-tui status --json\` names them`,
      ] as const,
    ];
  return found.map((problem) => ['problem', safe(formatFault(problem))] as const);
};

const next = ({ session_id, state, host, failed, held, ...report }: StatusReport) => {
  const release = 'ralph-tui signal RESUME';
  if (host?.alive === true) return held ? [['go on', release] as const] : [];
  // A hold outlives the program: a resume alone is held again.
  const resume = `${held ? `${release} && ` : ''}ralph-tui resume ${session_id}`;
  if (state !== 'COMPLETE' || report.pending_signals > 0) return [['go on', resume] as const];
  if (report.feedback_waits)
    return [
      ['go on', `${resume} (starts iteration ${report.iteration + 1} with the feedback that waits)`] as const,
    ];
  const [first] = failed;
  return first === undefined ? [] : [['again', `ralph-tui retry ${safe(first.task)} && ${resume}`] as const];
};
