import type { Message } from '../../agents/port.ts';
import { toFault } from '../../base/fault.ts';
import type { ProcessIdentity } from '../../base/process/spawn.ts';
import type { FlowRole } from '../../issues/task-list/task-phase.ts';
import type { ToolAnswer } from '../tool.ts';
import type { HostLine } from './call-host.io.ts';
import { directiveSchema, helloAnswerSchema, toolAnswerSchema } from './wire.ts';
import type { WorkerCalls } from './worker-calls.ts';

/** A connection to the host of a session. */
export interface Dialled {
  readonly line: HostLine;
  readonly token: string;
  readonly session: string;
}

interface WorkerPorts {
  readonly team: FlowRole;
  /** The name of the program, once the handshake has told it. */
  readonly program: () => string;
  readonly self: ProcessIdentity;
  readonly reads: Pick<WorkerCalls, 'tasks' | 'report' | 'status' | 'questions'>;
  /** Connects to the host of the session, or to that of `known`. Rejects with a sentence for the worker. */
  readonly dial: (known: string | null) => Promise<Dialled>;
}

/** The calls of one worker of another program. The connection opens with its first claim, and again when it broke. */
export const createWorkerCalls = ({ team, program, self, reads, dial }: WorkerPorts): WorkerCalls => {
  let line: Promise<HostLine> | null = null;
  let open: HostLine | null = null;
  let me: { readonly worker: string; readonly key: string; readonly session: string } | null = null;
  let task: string | null = null;

  const connect = async (): Promise<HostLine> => {
    const { line: made, token, session } = await dial(me?.session ?? null);
    const back = me !== null && me.session === session ? { worker: me.worker, key: me.key } : null;
    const said = await made.call('hello', {
      ...{ token, role: team, program: program(), process: self },
      ...(back === null ? {} : { back }),
    });
    if (back === null) task = null;
    me = { ...helloAnswerSchema.parse(said), session };
    open = made;
    return made;
  };

  const call = async (name: string, input: unknown = {}): Promise<unknown> => {
    if (open === null || !open.isOpen()) line = null;
    line ??= connect();
    return (
      await line.catch((error: unknown) => {
        line = null;
        throw error;
      })
    ).call(name, input);
  };

  const asTool = async (name: string, input: unknown): Promise<ToolAnswer> => {
    try {
      return toolAnswerSchema.parse(await call(name, input));
    } catch (error) {
      return { failed: true, body: { error: toFault(error).what } };
    }
  };

  const inform = (name: 'reached' | 'missed', messages: readonly Message[]): void => {
    // A connection that broke has given them back itself.
    call(name, { ids: messages.map(({ id: message }) => message) }).catch(() => undefined);
  };

  return {
    team,
    get brief() {
      return task === null ? {} : { task: { id: task } };
    },
    tasks: reads.tasks,
    report: reads.report,
    status: reads.status,
    questions: reads.questions,
    claim: async (wanted) => {
      const answer = await asTool('claim', wanted === null ? {} : { task: wanted });
      const { claimed } = answer.body;
      if (typeof claimed === 'string') task = claimed;
      return answer;
    },
    release: async (reason) => {
      const answer = await asTool('release', { reason });
      if (answer.failed !== true) task = null;
      return answer;
    },
    message: async (message) => unprompted(await asTool('message', message)),
    onWork: async (name, input) => unprompted(await asTool('tool', { name, input })),
    boundary: async () => {
      if (open === null || !open.isOpen()) return { kind: 'go', messages: [] };
      return directiveSchema.parse(await call('boundary'));
    },
    released: async () => {
      await call('released');
    },
    reached: (messages) => inform('reached', messages),
    missed: (messages) => inform('missed', messages),
  };
};

/** This program prompts no such agent: it asks again with the same words for an answer that comes later, and for its next task. */
const unprompted = (answer: ToolAnswer): ToolAnswer => {
  const { answered, accepted } = answer.body;
  const next =
    answered === false
      ? 'No answer yet. Ask again with the same words to wait for it; do not guess.'
      : accepted === true
        ? 'Your result is recorded and will be checked. Call task_claim for the next task.'
        : null;
  return next === null ? answer : { ...answer, body: { ...answer.body, next } };
};
