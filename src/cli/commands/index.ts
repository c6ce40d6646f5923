import type { Subcommand } from '../cli.ts';
import { answer } from './answer.ts';
import { approve } from './approve.ts';
import { attach } from './attach.ts';
import { cancel } from './cancel.ts';
import { completion } from './completion.ts';
import { config } from './config.ts';
import { demo } from './demo.ts';
import { diff } from './diff.ts';
import { doctor } from './doctor.ts';
import { feedback } from './feedback.ts';
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
import { retry } from './retry.ts';
import { review } from './review.ts';
import { run } from './run.ts';
import { runner, runners } from './runners.ts';
import { scan } from './scan.ts';
import { sessions } from './sessions.ts';
import { signal } from './signal.ts';
import { signals } from './signals.ts';
import { skill } from './skill.ts';
import { skip } from './skip.ts';
import { status } from './status.ts';
import { stop } from './stop.ts';
import { tasks } from './tasks.ts';
import { redo, undo } from './undo.ts';

/** Every subcommand, in the order `--help` and the README show them. */
export const commands: readonly Subcommand[] = [
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
  exportSession,
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
];
