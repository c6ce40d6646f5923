import { sha256 } from '../../base/hash.io.ts';
import type { Door, Knock, Knocked } from '../../issues/team/door.ts';
import { workerName } from '../../issues/team/worker.ts';
import { members } from '../../pipeline/modes/flow/team.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { Core } from '../core.ts';
import { claimTask, releaseTask } from './claim-task.ts';
import { sendMessage } from './send-message.ts';
import { memberOf, openFlow, standingOf } from './team-state.ts';
import { createProcessWatch } from './watch-processes.ts';

/** Workers of other programs: lets them knock, answers their claims, and frees the tasks of dead ones. */
export const createForeignWorkers = (core: Core): Door => {
  const { loop } = core;
  const processes = createProcessWatch(core);
  return {
    knock: (asked) => {
      const knocked = knock(core, asked);
      if ('worker' in knocked) processes.watch();
      return knocked;
    },
    knows: (worker, key) => memberOf(core, worker)?.foreign?.key === sha256(key),
    standing: (worker) => standingOf(core, worker),
    claim: (worker, task) => loop.run(() => claimTask(core, worker, task)),
    release: (worker, reason) => loop.run(() => releaseTask(core, worker, reason)),
    message: (worker, message) => loop.run(() => sendMessage(core, worker, message)),
    connect: processes.connect,
    look: processes.look,
  };
};

const mostForeign = 32;

const knock = (core: Core, { role, key, ...asked }: Knock): Knocked => {
  const { loop } = core;
  const flow = openFlow(core);
  if (flow === null) return { refused: 'the session is over, or does not work on issues' };
  // All have left by then, and nothing would let it leave.
  if (isListDone(loop.state())) return { refused: 'the list is done' };
  if (members(flow).filter(({ foreign }) => foreign !== null).length >= mostForeign)
    return { refused: `the team already has ${mostForeign} workers of other programs` };
  const name = workerName(role, [...flow.workers.values()]);
  loop.run(() => loop.commit({ type: 'worker.knocked', name, role, ...asked, key: sha256(key) }));
  return { worker: name };
};

const isListDone = ({ state }: Pick<SessionState, 'state'>): boolean =>
  state !== 'PLANNING' && state !== 'EXECUTING_BATCH';
