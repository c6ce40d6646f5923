import { formatFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import type { Subcommand } from '../cli.ts';
import { type SessionOptions, withSession } from '../options.ts';
import { type StatusReport, statusOf } from '../status-report.ts';

/** `ralph-tui status`: what a session is doing, what waits, and why. */
export const status: Subcommand = (program, cli) => {
  withSession(program.command('status').summary('what the session is doing, and what waits')).action(
    cli.does(async (options: SessionOptions) => {
      const { openSession } = await import('../open-session.ts');
      const { lookIntoMailbox } = await import('../publish.ts');
      const session = openSession(cli, options.session);
      const pending = lookIntoMailbox(session.world, session.paths)
        .list()
        .filter((entry) => entry.stage === 'pending').length;
      const report = statusOf(session, pending);
      if (options.json) cli.printJson(report);
      else cli.print(formatStatus(report));
      return 0;
    }),
  );
};

const formatStatus = (report: StatusReport): string => {
  const { tasks } = report;
  const counts = [
    `${tasks.completed} of ${tasks.total} done`,
    ...(tasks.failed > 0 ? [`${tasks.failed} failed`] : []),
    ...(tasks.cancelled > 0 ? [`${tasks.cancelled} cancelled`] : []),
    ...(tasks.unreachable > 0 ? [`${tasks.unreachable} unreachable`] : []),
  ];
  const lines = [
    `Session ${report.session_id} in ${safe(report.workspace)}`,
    `  status    ${report.status.replaceAll('_', ' ')}${report.stop_reason && report.stop_reason !== report.status ? ` (${safe(report.stop_reason)})` : ''}${report.held ? ', held' : ''}`,
    `  state     ${report.state}, iteration ${report.iteration}${report.wave === null ? '' : `, wave ${report.wave}`}`,
    `  tasks     ${counts.join(', ')}`,
    `  host      ${report.host ? `pid ${report.host.pid}, ${report.host.alive ? 'running' : 'gone'}` : 'nobody runs it'}`,
  ];
  if (report.host?.alive !== true && (report.status === 'paused' || report.status === 'in_progress'))
    lines.push(`  go on     ralph-tui resume ${report.session_id}`);
  if (report.pending_signals > 0) lines.push(`  signals   ${report.pending_signals} pending`);
  if (report.next_deadline) lines.push(`  deadline  ${report.next_deadline}`);
  for (const { request, text } of report.requests)
    lines.push(`  waits     ${safe(request)}: ${safe(text)} (\`ralph-tui answer\`)`);
  for (const problem of report.problems) lines.push(`  problem   ${safe(formatFault(problem))}`);
  return lines.join('\n');
};
