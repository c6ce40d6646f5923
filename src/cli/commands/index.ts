import type { Subcommand } from '../cli.ts';
import { attach } from './attach.ts';
import { completion } from './completion.ts';
import { config } from './config.ts';
import { demo } from './demo.ts';
import { diff } from './diff.ts';
import { doctor } from './doctor.ts';
import { flow } from './flow.ts';
import { guidance } from './guidance.ts';
import { help } from './help.ts';
import { hook } from './hook.ts';
import { host } from './host.ts';
import { init } from './init.ts';
import { issues } from './issues.ts';
import { logs } from './logs.ts';
import { mcp } from './mcp.ts';
import { open } from './open.ts';
import { prompt } from './prompt.ts';
import { debug } from './record/debug.ts';
import { exportSession } from './record/export.ts';
import { statistics } from './record/statistics.ts';
import { replay } from './replay.ts';
import { report } from './report.ts';
import { resume } from './resume.ts';
import { run } from './run.ts';
import { runner, runners } from './runners.ts';
import { scan } from './scan.ts';
import { sessions } from './sessions.ts';
import { skill } from './skill.ts';
import { status } from './status.ts';
import { answer } from './steering/answer.ts';
import { approve } from './steering/approve.ts';
import { cancel } from './steering/cancel.ts';
import { feedback } from './steering/feedback.ts';
import { retry } from './steering/retry.ts';
import { review } from './steering/review.ts';
import { signal } from './steering/signal.ts';
import { signals } from './steering/signals.ts';
import { skip } from './steering/skip.ts';
import { stop } from './steering/stop.ts';
import { redo, undo } from './steering/undo.ts';
import { tasks } from './tasks.ts';

/** Every subcommand by its name, in the order `--help` and the README show them. */
export const commands: Readonly<Record<string, Subcommand>> = {
  open,
  demo,
  run,
  resume,
  stop,
  attach,
  replay,
  signal,
  signals,
  approve,
  skip,
  answer,
  review,
  undo,
  redo,
  retry,
  cancel,
  feedback,
  sessions,
  status,
  tasks,
  issues,
  flow,
  skill,
  logs,
  diff,
  report,
  export: exportSession,
  statistics,
  debug,
  scan,
  guidance,
  mcp,
  hook,
  doctor,
  runners,
  init,
  config,
  prompt,
  completion,
  help,
  host,
  runner,
};
