import { printedCommand } from '../../base/process/printed-command.ts';
import { safe } from '../../base/safe.ts';
import { formatTable } from '../report/table.ts';
import type { MadePool } from './init-pool.ts';
import type { PoolRunnerRow, PoolStatus } from './pool-status.ts';

/** What a person does next on each machine. */
export const poolCommands = ({ hostFile, runnerFile, hostKey, queue }: MadePool): readonly string[] => {
  const read = (file: string): string => `set -a; . ${printedCommand(file)}; set +a`;
  const entry = `runners: {ci: {pool: "env:RALPH_POOL_URL"${queue === 'default' ? '' : `, queue: ${queue}`}}}`;
  return [
    'The pool is ready. Both files hold passwords: copy them only to machines of the pool.',
    '',
    `host:    ${read(hostFile)}; ralph-tui run --on ci     with ${entry} in the configuration`,
    `runner:  ${read(runnerFile)}; ralph-tui runner --pool env:RALPH_POOL_URL --slots 2 --accept ${hostKey}${queue === 'default' ? '' : ` --queue ${queue}`}`,
  ];
};

/** Seconds after which a runner that said nothing counts as gone. */
const goneAfter = 30;

/** A pool in lines. */
export const poolLines = ({ queues, runners, leases, rows, bytes }: PoolStatus): readonly string[] => [
  ...queues.map(
    ({ queue, waiting, active, done, dead }) =>
      `queue ${safe(queue)}: ${waiting} waiting, ${active} at work, ${done} done, ${dead} abandoned by their runner`,
  ),
  `database: ${rows} rows on their way, ${(bytes / 1_048_576).toFixed(1)} MB`,
  '',
  ...(runners.length === 0
    ? ['No runner was here in the last day. `ralph-tui runner --pool env:RALPH_POOL_URL` starts one.']
    : [formatTable(runners.map(runnerCells))]),
  ...(leases.length === 0 ? [] : ['', formatTable(leases.map(leaseCells))]),
];

const runnerCells = (runner: PoolRunnerRow): readonly string[] => {
  const { number, name, program, slots, busy, leaving, seen_s: seen, refused } = runner;
  const state = leaving ? 'left' : seen > goneAfter ? 'gone' : 'there';
  const reasons = Object.entries(refused).map(([why, times]) => `${times} ${safe(why)}`);
  return [
    `runner ${number}`,
    safe(name),
    `${busy} of ${slots} slots`,
    `${state}, seen ${seen} s ago`,
    safe(program),
    reasons.length === 0 ? '' : `refused: ${reasons.join(', ')}`,
  ];
};

const leaseCells = ({
  session,
  task,
  runner,
  age_s: age,
}: PoolStatus['leases'][number]): readonly string[] => [
  safe(task ?? '(no task)'),
  `session ${safe(session)}`,
  runner === null ? 'an unknown runner' : `runner ${runner}`,
  `for ${age} s`,
];
