import { createStore } from '../../../components/create-store.ts';
import { selectNow } from '../../../components/frame/select-now.ts';
import { evolve } from '../../pipeline/evolve.ts';
import { type Cli, exitCodes } from '../cli.ts';
import { prepareResume } from '../host/prepare-resume.ts';
import { lookForWaiting } from '../host/watch-waiting.ts';
import { listen } from '../plain/screen-reader.ts';
import { withWords } from '../plain/words-of-keys.ts';
import { endSignals, onProcessSignals } from '../process-signals.ts';
import type { OpenJournal } from '../session/open-session.ts';
import { agreeTo } from '../trust/ask-trust.ts';
import { runSession } from './run-session.ts';

/**
 * Shows a stopped session as lines: its status, then the prompt. `resume` runs it in this program, also in
 * lines. Other words work as usual; signals wait for a resume.
 */
export const readStopped = async (cli: Cli, session: OpenJournal): Promise<number> => {
  const { world, paths } = session;
  cli.print(standing(session));
  const wanted = await new Promise<'resume' | 'leave'>((resolve) => {
    const stopListening = listen(cli, paths, {
      leave: () => end('leave'),
      resume: () => end('resume'),
      ended: () => end('leave'),
    });
    const ignoreSignals = onProcessSignals(endSignals, () => end('leave'));
    const end = (how: 'resume' | 'leave'): void => {
      ignoreSignals();
      stopListening();
      resolve(how);
    };
  });
  if (wanted === 'leave') {
    cli.print(`Session ${paths.session} is not running; \`ralph-tui resume ${paths.session}\` continues it.`);
    return exitCodes.done;
  }
  const startRequest = prepareResume(cli, world, paths, session.state, {
    attended: true,
    takeOver: false,
    flags: {},
  });
  if (!(await agreeTo(cli, world, startRequest, { yes: false, mayAsk: cli.stdin.isTTY === true })))
    return exitCodes.done;
  return runSession(cli, world, startRequest.engine(), 'reader');
};

/** The screen's now line, with words instead of keys. */
const standing = ({ world, paths, events, layout }: OpenJournal): string => {
  const store = createStore({ clock: world.clock, evolve, connection: 'stopped' });
  store.load(events);
  store.act({ type: 'connected', connection: 'stopped', canLeaveRunning: true, resumable: layout.ours });
  if (layout.ours) lookForWaiting(world, paths, store);
  const ms = world.clock.now();
  return withWords(selectNow(store.getState(), { ms, offset: world.clock.offsetMinutes(ms) }).text);
};
