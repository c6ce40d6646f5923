import { createStore } from '../../../components/create-store.ts';
import { safe } from '../../base/safe.ts';
import { evolve } from '../../pipeline/evolve.ts';
import { isComplete } from '../../session/status.ts';
import { formatTimeOfDay } from '../../words/local-time.ts';
import { type Cli, exitCodes } from '../cli.ts';
import type { FarSession } from '../runners/far-sessions.ts';
import { followFar } from '../runners/follow-far.ts';
import type { Machine } from '../runners/machine.ts';
import type { World } from '../world.ts';
import { attachCommand, createFarPort } from './far-port.ts';
import { readPreferences } from './read-preferences.ts';
import type { ShownSession } from './shown-session.ts';

/** Shows a session of another machine, fed by its `attach --json`. Keys are calls of its program; it runs on whatever becomes of this screen. */
export const showFar = (cli: Cli, world: World, machine: Machine, far: FarSession): ShownSession => {
  const alive = far.host?.alive === true;
  const store = createStore({
    clock: world.clock,
    evolve,
    cwd: cli.cwd,
    connection: alive ? 'attached' : 'stopped',
    canLeaveRunning: true,
    preferences: readPreferences(cli, world, cli.cwd, null),
  });
  const connected = (connection: 'attached' | 'stopped', lostAt?: string): void =>
    store.act({
      type: 'connected',
      connection,
      canLeaveRunning: true,
      resumable: true,
      ...(lostAt === undefined ? {} : { lostAt }),
    });
  connected(alive ? 'attached' : 'stopped');
  const asked = safe(`Asking ${machine.name} for session ${far.session_id}`);
  store.act({ type: 'noticed', notice: { text: asked, tone: 'info' } });
  let since: number | null = null;
  const stop = followFar(cli, world, machine, far, {
    past: (events) => {
      store.load(events);
      const { session } = store.getState();
      if (session !== null && isComplete(session)) store.act({ type: 'end-shown' });
    },
    event: (event) => {
      store.dispatch(event);
      if (event.type === 'session.started') connected('attached');
      if (event.type !== 'session.stopped') return;
      connected('stopped');
      store.act({ type: 'end-shown' });
    },
    lost: ({ what }) => {
      if (since !== null) return;
      since = world.clock.now();
      const at = formatTimeOfDay(since, { ms: since, offset: world.clock.offsetMinutes(since) });
      const text = safe(`${machine.name} has been unreachable since ${at}: ${what}; trying again`);
      store.act({ type: 'noticed', notice: { text, tone: 'bad', stays: true } });
      connected('attached', at);
    },
    reached: () => {
      if (since === null) return;
      since = null;
      connected('attached');
      store.act({
        type: 'noticed',
        notice: { text: safe(`${machine.name} is reachable again`), tone: 'good' },
      });
    },
    stopped: () => connected('stopped'),
  });
  const port = createFarPort(cli, world, machine, far);
  return {
    paths: null,
    far: { machine, session: far },
    store,
    port,
    hosted: false,
    flags: {},
    quit: async (choice) => {
      const type = choice === 'abort' ? 'ABORT' : choice === 'pause' ? 'PAUSE' : null;
      if (type !== null) await port.perform({ type: 'publish', signal: { type, target: 'ALL' } });
    },
    close: async () => {
      stop();
      const name = `${machine.name}:${far.session_id}`;
      const text =
        store.getState().connection === 'attached'
          ? `Session ${name} continues without this screen\n  watch    ${attachCommand(machine.name, far.session_id)}`
          : `Session ${name} is not running`;
      return { exitCode: exitCodes.done, text: safe(text) };
    },
  };
};
