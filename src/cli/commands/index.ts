import type { Subcommand } from '../cli.ts';

/** A subcommand as `--help` lists it, and the file that makes it. That file is read only when the command is named: all of them take 30 ms of processor time. */
export interface CommandRow {
  /** `null`: not listed. */
  readonly summary: string | null;
  readonly load: () => Promise<Subcommand>;
}

const row = (summary: string | null, load: () => Promise<Subcommand>): CommandRow => ({ summary, load });

/** Every subcommand by its name, in the order `--help` and the README show them. */
export const commands: Readonly<Record<string, CommandRow>> = {
  open: row(null, async () => (await import('./open.ts')).open),
  demo: row(
    'run the sample session: no model, no key, no network',
    async () => (await import('./demo.ts')).demo,
  ),
  run: row('start a session', async () => (await import('./run.ts')).run),
  work: row('take up ready issues until you stop it', async () => (await import('./work.ts')).work),
  resume: row(
    'continue a session after a stop, a crash or a quit',
    async () => (await import('./resume.ts')).resume,
  ),
  stop: row(
    'drain a running session: let running work finish, then stop; it can be resumed',
    async () => (await import('./steering/stop.ts')).stop,
  ),
  attach: row(
    'watch and steer a session that another process is running',
    async () => (await import('./attach.ts')).attach,
  ),
  serve: row(
    'watch, answer and steer from a browser or a phone',
    async () => (await import('./serve.ts')).serve,
  ),
  replay: row('play a journal back', async () => (await import('./replay.ts')).replay),
  signal: row(
    'send a signal: INFO, STEER, PAUSE, RESUME, ABORT, …',
    async () => (await import('./steering/signal.ts')).signal,
  ),
  signals: row(
    'list, poll, confirm or withdraw signals',
    async () => (await import('./steering/signals.ts')).signals,
  ),
  approve: row(
    'keep the lessons of a session: all of them, or the named files',
    async () => (await import('./steering/approve.ts')).approve,
  ),
  skip: row(
    'complete the session without keeping its lessons; their files stay in it',
    async () => (await import('./steering/skip.ts')).skip,
  ),
  answer: row(
    "answer an agent's question, the plan gate, or in a terminal a permission",
    async () => (await import('./steering/answer.ts')).answer,
  ),
  review: row(
    'accept or reject a finished task that is waiting for your review',
    async () => (await import('./steering/review.ts')).review,
  ),
  undo: row(
    'revert what a task changed, and keep a patch of it',
    async () => (await import('./steering/undo.ts')).undo,
  ),
  redo: row('bring back what was undone', async () => (await import('./steering/undo.ts')).redo),
  retry: row(
    'reopen a task, with the message as feedback',
    async () => (await import('./steering/retry.ts')).retry,
  ),
  cancel: row(
    'stop one task; the session continues',
    async () => (await import('./steering/cancel.ts')).cancel,
  ),
  feedback: row(
    'give feedback that starts the next iteration',
    async () => (await import('./steering/feedback.ts')).feedback,
  ),
  sessions: row('every session in this workspace', async () => (await import('./sessions.ts')).sessions),
  status: row(
    'what the session is doing, and what it is waiting for',
    async () => (await import('./status.ts')).status,
  ),
  tasks: row(
    'list tasks, ready tasks and levels of the graph; explain why a task is waiting',
    async () => (await import('./tasks.ts')).tasks,
  ),
  issues: row(
    'the issues in this workspace: list, show, move, comment',
    async () => (await import('./issues.ts')).issues,
  ),
  flow: row(
    "the progress of an issue's group, and the tasks that are left",
    async () => (await import('./flow.ts')).flow,
  ),
  skill: row(
    'work on a document with a skill; list, show, check and create skills',
    async () => (await import('./skill.ts')).skill,
  ),
  logs: row("list the logs, or print a task's newest one", async () => (await import('./logs.ts')).logs),
  diff: row("what changed in a task's files, according to git", async () => (await import('./diff.ts')).diff),
  report: row(
    "print a task's report, or the session's review",
    async () => (await import('./report.ts')).report,
  ),
  export: row(
    'write a session as a page, a summary or data, without its secrets',
    async () => (await import('./record/export.ts')).exportSession,
  ),
  statistics: row(
    'statistics for all sessions in this workspace',
    async () => (await import('./record/statistics.ts')).statistics,
  ),
  debug: row(
    'summarise the debug logs of RALPH_DEBUG=true',
    async () => (await import('./record/debug.ts')).debug,
  ),
  scan: row('find risks for agents in this workspace', async () => (await import('./scan.ts')).scan),
  guidance: row(
    'set what agents avoid and prefer in this workspace',
    async () => (await import('./guidance.ts')).guidance,
  ),
  mcp: row(
    'serve a session to an agent in another program (MCP on stdio)',
    async () => (await import('./mcp.ts')).mcp,
  ),
  hook: row(
    'answer a Claude Code event read from stdin (see init --hooks)',
    async () => (await import('./hook.ts')).hook,
  ),
  doctor: row(
    'check what is installed and usable, and say how to fix the rest',
    async () => (await import('./doctor.ts')).doctor,
  ),
  runners: row(
    'other machines that do work for this one',
    async () => (await import('./machines/runners.ts')).runners,
  ),
  runner: row('work for the hosts of a pool', async () => (await import('./machines/runners.ts')).runner),
  pool: row('many machines on one PostgreSQL', async () => (await import('./machines/pool.ts')).pool),
  init: row(
    'set up a repository: ask questions, then write .ralph/config.yaml',
    async () => (await import('./init.ts')).init,
  ),
  config: row(
    'show every setting and its origin, check the files, or withdraw trust',
    async () => (await import('./config.ts')).config,
  ),
  prompt: row('print the prompt for a role and mode', async () => (await import('./prompt.ts')).prompt),
  completion: row(
    'print a completion script for bash, zsh or fish',
    async () => (await import('./completion.ts')).completion,
  ),
  help: row(
    'print a reference page, or the help for a command',
    async () => (await import('./help.ts')).help,
  ),
  host: row(null, async () => (await import('./host.ts')).host),
};
