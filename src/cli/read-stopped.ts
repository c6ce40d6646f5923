import { evolve } from '../pipeline/evolve.ts';
import { createStore } from '../store/create-store.ts';
import { selectNow } from '../store/select-now.ts';
import { agreeTo } from './agree-to.ts';
import { type Cli, exitCodes } from './cli.ts';
import type { OpenSession } from './open-session.ts';
import { prepareResume } from './prepare-resume.ts';
import { runSession } from './run-session.ts';
import { listen } from './screen-reader.ts';
import { lookForWaiting } from './watch-waiting.ts';
import { withWords } from './words-of-keys.ts';

/**
 * A session that nobody runs, for those who listen: how it stands, then the prompt. `resume` has this program run it, in lines as well; everything
 * else is read or written as ever, and what is written waits for a resume.
 */
export const readStopped = async (cli: Cli, session: OpenSession): Promise<number> => {
  const { world, paths } = session;
  cli.print(standing(session));
  const wanted = await new Promise<'resume' | 'leave'>((resolve) => {
    const deaf = listen(cli, paths.session, {
      leave: () => end('leave'),
      resume: () => end('resume'),
      ended: () => end('leave'),
    });
    const leave = (): void => end('leave');
    const end = (how: 'resume' | 'leave'): void => {
      for (const name of signals) process.off(name, leave);
      deaf();
      resolve(how);
    };
    for (const name of signals) process.once(name, leave);
  });
  if (wanted === 'leave') {
    cli.print(
      `Session ${paths.session} does not run; \`ralph-tui resume ${paths.session}\` goes on with it.`,
    );
    return exitCodes.done;
  }
  const prepared = prepareResume(cli, world, paths, session.state, {
    attended: true,
    takeOver: false,
    flags: {},
  });
  if (!(await agreeTo(cli, world, prepared, { yes: false, mayAsk: cli.stdin.isTTY === true })))
    return exitCodes.done;
  return runSession(cli, world, prepared.wish(), 'reader');
};

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The now line of the screen, with words in the place of keys. */
const standing = ({ world, paths, events, layout }: OpenSession): string => {
  const store = createStore({ clock: world.clock, evolve, connection: 'stopped' });
  store.load(events);
  store.act({ type: 'connected', connection: 'stopped', canLeaveRunning: true, resumable: layout.ours });
  if (layout.ours) lookForWaiting(world, paths, store);
  const ms = world.clock.now();
  return withWords(selectNow(store.getState(), { ms, offset: world.clock.offsetMinutes(ms) }).text);
};
