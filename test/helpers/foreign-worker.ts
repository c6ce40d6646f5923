import type { Engine } from '../../src/engine/engine.ts';
import type { FlowRole } from '../../src/issues/task-list/task-phase.ts';
import { helloAnswerSchema, toolAnswerSchema } from '../../src/mcp/workers/wire.ts';
import { type createFlowSession, token } from './flow-session.ts';

type Session = ReturnType<typeof createFlowSession>;

/**
 * A worker of another program, over its line to the engine, without the network between. Calls that wait need the session's clock. `inContainer`: nobody
 * can look for its process.
 */
export const joinTeam = async (session: Session, engine: Engine, role: FlowRole, inContainer = false) => {
  const beside = session.spawn.beside();
  const identity = inContainer ? { ...beside.identity, pidNamespace: 'pid:[2]' } : beside.identity;
  const process = { ...beside, identity };
  const hungUp = new AbortController();
  let line = session.line(engine);
  const hello = async (back?: { worker: string; key: string }) =>
    helloAnswerSchema.parse(
      await line.answer(
        'hello',
        { token, role, program: 'other', process: process.identity, ...(back ? { back } : {}) },
        hungUp.signal,
      ),
    );
  const me = await hello();
  const call = async (name: string, input: unknown = {}) =>
    toolAnswerSchema.parse(await line.answer(name, input, hungUp.signal));
  return {
    name: me.worker,
    process,
    claim: (task?: string) => call('claim', task === undefined ? {} : { task }),
    release: (reason: string) => call('release', { reason }),
    message: (kind: string, to: string | null, text = 'x') => call('message', { kind, to, text }),
    /** Hands an outcome in, and passes the boundary as each call of a tool does. */
    handIn: async (outcome: object) => {
      const answer = await call('tool', { name: 'task_update', input: { status: 'completed', outcome } });
      return { ...answer, directive: await line.answer('boundary', {}, hungUp.signal) };
    },
    boundary: () => line.answer('boundary', {}, hungUp.signal),
    /** `kill -9` of its process: the connection breaks. */
    die: () => {
      process.kill();
      line.lost();
    },
    /** Its connection breaks. */
    hangUp: () => line.lost(),
    /** The same process connects again, to this engine. */
    back: async (next: Engine) => {
      line = session.line(next);
      return (await hello(me)).worker;
    },
  };
};
