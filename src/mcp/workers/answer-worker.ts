import type { ForeignDesk } from '../../agents/backends/foreign/create-foreign-backend.ts';
import type { ForeignWork } from '../../agents/backends/foreign/foreign-worker.ts';
import type { Directive, Message } from '../../agents/port.ts';
import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/random.ts';
import type { Door, Knock, WorkerMessage } from '../../issues/team/door.ts';
import { createPatience, type Patience } from '../patience.ts';
import type { Tool, ToolAnswer } from '../tool.ts';
import { askPerson } from '../tools/ask-person.ts';
import { stageKnowledge } from '../tools/stage-knowledge.ts';
import { taskUpdate } from '../tools/task-update.ts';
import { refused, settledClaim, unsettledClaim } from './claim-answers.ts';
import { callSchemas } from './wire.ts';

export interface TeamPorts {
  /** `null`: the session has not begun. */
  readonly door: () => Door | null;
  readonly desk: ForeignDesk;
  /** Calls back after each event of the session. Returns the end of it. */
  readonly watch: (changed: () => void) => () => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly token: string;
}

/** One connection of a worker. */
export interface WorkerLine {
  /** Answers one call. Rejects with a sentence for the worker. */
  answer(call: string, input: unknown, hungUp: AbortSignal): Promise<unknown>;
  /** The connection is gone: what it had not confirmed has not arrived. */
  lost(): void;
}

/** Tools that need the work in hand. */
const workTools: readonly Tool[] = [taskUpdate, askPerson, stageKnowledge];

/** Answers the calls of one worker of another program: who it is stands in its first one. */
export const createWorkerLine = (ports: TeamPorts): WorkerLine => {
  const { clock, desk, random } = ports;
  let worker: string | null = null;
  let hangUp = (): void => undefined;
  /** The task whose outcome it has handed in. */
  let handed: string | null = null;
  const unconfirmed = new Map<string, { readonly message: Message; readonly work: ForeignWork }>();

  const door = (): Door => {
    const open = ports.door();
    if (open === null) throw new Error('the session has not begun; try again');
    return open;
  };

  const hello = (input: unknown): { worker: string; key: string } => {
    const { token, role, program, process, back } = callSchemas.hello.parse(input);
    if (token !== ports.token) throw new Error('this program runs another session now');
    const isBack = back !== undefined && door().knows(back.worker, back.key);
    const me = isBack ? back : knock({ role, program, process, key: random.hex(64) });
    hangUp();
    hangUp = door().connect(me.worker);
    desk.met(me.worker, program);
    worker = me.worker;
    return me;
  };

  const knock = (asked: Knock): { worker: string; key: string } => {
    const knocked = door().knock(asked);
    if ('refused' in knocked) throw new Error(knocked.refused);
    return { worker: knocked.worker, key: asked.key };
  };

  /** Waits until `look` gives something, as long as the call may take. */
  const until = async <T>(look: () => T | null, patience: Patience): Promise<T | null> => {
    const found = Promise.withResolvers<T>();
    let isOver = false;
    let isDue = false;
    const check = (): void => {
      isDue = false;
      if (isOver) return;
      try {
        const value = look();
        if (value !== null) found.resolve(value);
      } catch (error) {
        found.reject(error);
      }
    };
    // A claim changes the session, and observers only read: it waits until the event has been dealt with.
    const later = (): void => {
      if (isDue) return;
      isDue = true;
      void Promise.resolve().then(check);
    };
    const ends = [ports.watch(later), desk.watch(later)];
    try {
      check();
      const value = await patience.until(found.promise);
      return value === 'late' ? null : value;
    } finally {
      isOver = true;
      for (const end of ends) end();
    }
  };

  /** Its result is being checked: what it may claim next shows only then. */
  const isEnding = (name: string): boolean => {
    if (handed === null) return false;
    const now = door().standing(name);
    if (now.kind === 'member' && now.task === handed && desk.workOf(name) === null) return true;
    handed = null;
    return false;
  };

  const claim = async (name: string, wanted: string | null, patience: Patience): Promise<ToolAnswer> => {
    const settled = await until(() => (isEnding(name) ? null : settledClaim(door(), name, wanted)), patience);
    if (settled === null) return unsettledClaim(door(), name, wanted);
    if ('answer' in settled) return settled.answer;
    const { task } = settled;
    const has = (): ForeignWork | 'lost' | null => {
      const now = door().standing(name);
      if (now.kind !== 'member' || now.task !== task) return 'lost';
      const work = desk.workOf(name);
      return work?.brief.task?.id === task ? work : null;
    };
    const work = await until(has, patience);
    if (work === null)
      return { body: { claimed: task, next: 'Its place is being prepared. Call task_claim again.' } };
    if (work === 'lost') return refused(`${task} is no longer yours`);
    const directory = work.brief.workspace;
    return { body: { claimed: task, worker: name, directory, work: work.prompt, next: workNext } };
  };

  const workOf = (name: string): ForeignWork => {
    const work = desk.workOf(name);
    if (work === null) throw new Error('you have no task: call task_claim');
    return work;
  };

  const boundary = async (name: string): Promise<Directive> => {
    const work = desk.workOf(name);
    if (work === null) return { kind: 'go', messages: [] };
    const directive = await work.calls.boundary();
    if (directive.kind === 'go')
      for (const message of directive.messages) unconfirmed.set(message.id, { message, work });
    return directive;
  };

  const confirm = (ids: readonly string[], how: 'reached' | 'missed'): null => {
    for (const id of ids) {
      const found = unconfirmed.get(id);
      unconfirmed.delete(id);
      found?.work.calls[how]([found.message]);
    }
    return null;
  };

  const perform = async (
    name: string,
    call: string,
    input: unknown,
    patience: Patience,
  ): Promise<unknown> => {
    switch (call) {
      case 'claim':
        return claim(name, callSchemas.claim.parse(input).task ?? null, patience);
      case 'release': {
        const problem = door().release(
          name,
          `${name} gave it back: ${callSchemas.release.parse(input).reason}`,
        );
        return problem === null ? { body: { released: true } } : refused(problem);
      }
      case 'message':
        return message(door(), desk, name, callSchemas.message.parse(input), patience);
      case 'tool': {
        const { name: wanted, input: given } = callSchemas.tool.parse(input);
        const tool = workTools.find((each) => each.name === wanted);
        if (tool === undefined) throw new Error(`there is no tool ${wanted}`);
        const work = workOf(name);
        const answer = await tool.call(work.calls, given, patience);
        if (answer.body['accepted'] === true) handed = work.brief.task?.id ?? null;
        return answer;
      }
      case 'boundary':
        return boundary(name);
      case 'released':
        await patience.until(desk.workOf(name)?.calls.released() ?? Promise.resolve());
        return null;
      case 'reached':
      case 'missed':
        return confirm(callSchemas[call].parse(input).ids, call);
      default:
        throw new Error(`there is no call ${call}`);
    }
  };

  return {
    answer: async (call, input, hungUp) => {
      if (call === 'hello') return hello(input);
      if (worker === null) throw new Error('say hello first');
      return perform(worker, call, input, createPatience(clock, hungUp));
    },
    lost: () => {
      confirm([...unconfirmed.keys()], 'missed');
      hangUp();
    },
  };
};

const message = async (
  door: Door,
  desk: ForeignDesk,
  worker: string,
  sent: WorkerMessage,
  patience: Patience,
): Promise<ToolAnswer> => {
  const work = desk.workOf(worker);
  if (sent.kind === 'escalation' && work === null) return refused('you have no task to escalate');
  const problem = door.message(worker, sent);
  if (problem !== null) return refused(problem);
  if (sent.kind !== 'escalation' || work === null) return { body: { sent: true } };
  return askPerson.call(work.calls, { question: sent.text }, patience);
};

const workNext =
  'Do the work in `directory` and nowhere else. Call check_signals after each step. At the end call task_update with the outcome that the section "Answer" asks for: it counts once the program has checked it. Then call task_claim for the next task.';
