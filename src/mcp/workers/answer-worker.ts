import type { Knock } from '../../issues/team/door.ts';
import { createPatience, type Patience } from '../patience.ts';
import type { Tool, ToolAnswer } from '../tool.ts';
import { askPerson } from '../tools/ask-person.ts';
import { stageKnowledge } from '../tools/stage-knowledge.ts';
import { taskUpdate } from '../tools/task-update.ts';
import { refused } from './claim-answers.ts';
import { claimTask } from './claim-task.ts';
import { callSchemas } from './wire.ts';
import { doorOf, type LineState, type TeamPorts } from './worker-line.ts';
import { confirm, passBoundary, sendMessage } from './worker-mail.ts';

/** One connection of a worker. */
export interface WorkerLine {
  /** Answers one call. Rejects with a sentence for the worker. */
  answer(call: string, input: unknown, hungUp: AbortSignal): Promise<unknown>;
  /** The connection is gone: what it had not confirmed has not arrived. */
  lost(): void;
}

/** Tools that need the work in hand. */
const workTools: readonly Tool[] = [taskUpdate, askPerson, stageKnowledge];

/** Answers the calls of one worker of another program. Its first call names it. */
export const createWorkerLine = (ports: TeamPorts): WorkerLine => {
  const line: LineState = {
    ports,
    worker: null,
    hangUp: () => undefined,
    handed: null,
    unconfirmed: new Map(),
  };
  return {
    answer: async (call, input, hungUp) => {
      if (call === 'hello') return hello(line, input);
      if (line.worker === null) throw new Error('say hello first');
      return perform(line, line.worker, call, input, createPatience(ports.clock, hungUp));
    },
    lost: () => {
      confirm(line, [...line.unconfirmed.keys()], 'missed');
      line.hangUp();
    },
  };
};

interface Key {
  readonly worker: string;
  readonly key: string;
}

/** Lets a worker in, or one back in that shows its key. */
const hello = (line: LineState, input: unknown): Key => {
  const { ports } = line;
  const { token, role, program, process, back } = callSchemas.hello.parse(input);
  if (token !== ports.token) throw new Error('this program is running another session now');
  const isBack = back !== undefined && doorOf(line).knows(back.worker, back.key);
  const me = isBack ? back : knock(line, { role, program, process, key: ports.random.hex(64) });
  line.hangUp();
  line.hangUp = doorOf(line).connect(me.worker);
  ports.works.met(me.worker, program);
  line.worker = me.worker;
  return me;
};

const knock = (line: LineState, asked: Knock): Key => {
  const knocked = doorOf(line).knock(asked);
  if ('refused' in knocked) throw new Error(knocked.refused);
  return { worker: knocked.worker, key: asked.key };
};

const perform = async (
  line: LineState,
  name: string,
  call: string,
  input: unknown,
  patience: Patience,
): Promise<unknown> => {
  switch (call) {
    case 'claim':
      return claimTask(line, name, callSchemas.claim.parse(input).task ?? null, patience);
    case 'release':
      return release(line, name, callSchemas.release.parse(input).reason);
    case 'message':
      return sendMessage(line, name, callSchemas.message.parse(input), patience);
    case 'tool':
      return callWorkTool(line, name, callSchemas.tool.parse(input), patience);
    case 'boundary':
      return passBoundary(line, name);
    case 'released':
      await patience.until(line.ports.works.workOf(name)?.calls.released() ?? Promise.resolve());
      return null;
    case 'reached':
    case 'missed':
      confirm(line, callSchemas[call].parse(input).ids, call);
      return null;
    default:
      throw new Error(`unknown call ${call}`);
  }
};

const release = (line: LineState, name: string, reason: string): ToolAnswer => {
  const problem = doorOf(line).release(name, `${name} released it: ${reason}`);
  return problem === null ? { body: { released: true } } : refused(problem);
};

const callWorkTool = async (
  line: LineState,
  name: string,
  { name: wanted, input }: { readonly name: string; readonly input?: unknown },
  patience: Patience,
): Promise<ToolAnswer> => {
  const tool = workTools.find((each) => each.name === wanted);
  if (tool === undefined) throw new Error(`unknown tool ${wanted}`);
  const work = line.ports.works.workOf(name);
  if (work === null) throw new Error('you have no task: call task_claim');
  const answer = await tool.call(work.calls, input, patience);
  if (answer.body['accepted'] === true) line.handed = work.brief.task?.id ?? null;
  return answer;
};
