import { spawn } from 'node:child_process';
import { ownPath, ownProgram } from '../../base/process/own-program.io.ts';
import { safe } from '../../base/safe.ts';
import { dueNotice, type Notice } from '../../serve/act/notice.ts';
import type { Settings } from '../../session/settings.ts';
import { isComplete } from '../../session/status.ts';
import { needsOf } from '../../store/signals/select-needs.ts';
import type { Cli } from '../cli.ts';
import { hostOf, readSession } from '../session/open-session.ts';
import type { World } from '../world.ts';
import type { Sessions } from './sessions.ts';

interface NoticePorts {
  readonly env: Cli['env'];
  readonly world: World;
  readonly sessions: Sessions;
  readonly settings: Pick<Settings, 'notify'>;
  readonly cwd: string;
  readonly note: (text: string) => void;
}

const lookEveryMs = 5_000;
/** The newest sessions are looked at. */
const mostSessions = 5;

/** Runs `notify.command` when something has waited for a person and no page shows that session. Returns the function that ends it. */
export const sendNotices = ({ env, world, sessions, settings, cwd, note }: NoticePorts): (() => void) => {
  const { command, after, content } = settings.notify;
  const [program, ...args] = command;
  if (program === undefined) return () => {};
  const told = new Set<string>();
  let cancel = (): void => {};
  const look = (): void => {
    cancel = world.clock.after(lookEveryMs, look);
    for (const { session } of sessions.list().slice(0, mostSessions)) {
      const paths = sessions.paths(session);
      if (paths === null || sessions.viewers(session) > 0 || hostOf(world, paths)?.alive !== true) continue;
      const { state } = readSession(world, paths);
      if (isComplete(state)) continue;
      const waiting = { session, goal: safe(state.goal), needs: needsOf(state) };
      const notice = dueNotice(waiting, { now: world.clock.now(), afterMs: after, content }, told);
      if (notice !== null) runNotice({ env, cwd, note }, program, args, notice);
    }
  };
  look();
  return () => cancel();
};

/** The notice goes to the command as one line of JSON on its standard input. No program of the repository stands in for it. */
const runNotice = (
  { env, cwd, note }: Pick<NoticePorts, 'env' | 'cwd' | 'note'>,
  program: string,
  args: readonly string[],
  notice: Notice,
): void => {
  const PATH = ownPath(env['PATH'], [cwd]);
  const found = ownProgram(program, PATH, []);
  if (found === null) {
    note(`notify.command did not start: there is no program ${safe(program)}`);
    return;
  }
  const child = spawn(found, args, { cwd, env: { ...env, PATH }, stdio: ['pipe', 'ignore', 'ignore'] });
  child.on('error', (error) => note(`notify.command did not start: ${safe(error.message)}`));
  child.on('exit', (code) => {
    if (code !== 0 && code !== null) note(`notify.command ended with ${code}`);
  });
  child.stdin.on('error', () => child.stdin.destroy());
  child.stdin.end(`${JSON.stringify(notice)}\n`);
};
