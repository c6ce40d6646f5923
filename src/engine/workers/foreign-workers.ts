import { sha256 } from '../../base/hash.io.ts';
import { answerClaim, type Claimable, nextTask, ownTask } from '../../issues/team/claim.ts';
import type { ClaimReply, Door, Standing } from '../../issues/team/door.ts';
import { refuseMessage } from '../../issues/team/message-policy.ts';
import { stopGate } from '../../issues/team/stop-gate.ts';
import { workerName } from '../../issues/team/worker.ts';
import type { FlowState, TeamMember } from '../../pipeline/modes/flow/flow-state.ts';
import { joinRequestOf, lostRequestOf } from '../../pipeline/modes/flow/foreign.ts';
import { claimableList, members } from '../../pipeline/modes/flow/team.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { Core } from '../core.ts';

/** Milliseconds between two looks at the processes of workers. */
const lookMs = 2_000;

/** Workers of other programs: lets them knock, answers their claims, and frees the tasks of dead ones. */
export const createForeignWorkers = (core: Core): Door => {
  const { loop, options } = core;
  const flowOf = (): FlowState | null => (loop.begun() && loop.isOpen() ? loop.state().flow : null);
  const memberOf = (worker: string): TeamMember | null => flowOf()?.workers.get(worker) ?? null;
  /** How many connections each worker has. */
  const connections = new Map<string, number>();
  let watching = false;

  /** Releases the claims of workers that are proved dead. A person is asked about one that nobody can look for. `anew`: also after an earlier answer. */
  const look = (anew: (worker: string) => boolean): void => {
    const flow = flowOf();
    if (flow === null) return;
    loop.run(() => {
      for (const member of members(flow)) {
        if (member.foreign === null) continue;
        const life = options.spawn.isAlive(member.foreign.process);
        if (life === 'dead')
          loop.commit({
            type: 'worker.left',
            worker: member.name,
            reason: `its process ${member.foreign.process.pid} ended`,
          });
        else if (life === 'unknown' && !connections.has(member.name))
          askAbout(core, member, anew(member.name));
      }
    });
  };

  const watch = (): void => {
    if (watching) return;
    watching = true;
    loop.later(lookMs, () => {
      watching = false;
      const flow = flowOf();
      if (flow === null || !members(flow).some(({ foreign }) => foreign !== null)) return;
      look(() => false);
      watch();
    });
  };

  const connect = (worker: string): (() => void) => {
    const count = (by: number): void => {
      const now = (connections.get(worker) ?? 0) + by;
      if (now > 0) connections.set(worker, now);
      else connections.delete(worker);
    };
    count(1);
    loop.run(() => cameBack(core, worker));
    return () => {
      count(-1);
      look((name) => name === worker);
      watch();
    };
  };

  const standing = (worker: string): Standing => {
    const member = memberOf(worker);
    if (member === null) return { kind: 'left', why: 'the session has no such worker' };
    if (member.left !== null) return { kind: 'left', why: member.left };
    if (member.foreign !== null && member.foreign.admittedBy === null)
      return { kind: 'waits', request: joinRequestOf(worker) };
    return { kind: 'member', task: ownTask(claimableList(loop.state()), member)?.id ?? null };
  };

  const claim = (worker: string, wanted: string | null): ClaimReply => {
    const now = standing(worker);
    const member = memberOf(worker);
    const flow = flowOf();
    if (now.kind !== 'member' || member === null || flow === null)
      return {
        kind: 'standing',
        standing: now.kind === 'member' ? { kind: 'left', why: 'the session is over' } : now,
      };
    const list = claimableList(loop.state());
    const task = wanted ?? now.task ?? nextTask(list, member)?.id ?? null;
    if (task === null) return { kind: 'none', why: idleWords(list, member) };
    if (loop.state().hold !== null && task !== now.task) return { kind: 'held' };
    const admitted = members(flow).filter(({ foreign }) => foreign === null || foreign.admittedBy !== null);
    const answer = answerClaim(list, admitted, { task, worker });
    if (answer.kind === 'claimed') loop.commit({ type: 'task.claimed', task, worker });
    return { kind: 'answered', task, answer };
  };

  return {
    knock: ({ role, key, ...asked }) => {
      const flow = flowOf();
      if (flow === null) return { refused: 'the session is over, or does not work on issues' };
      // All have left by then, and nothing would let it leave.
      if (isListDone(loop.state())) return { refused: 'the list is done' };
      if (members(flow).filter(({ foreign }) => foreign !== null).length >= mostForeign)
        return { refused: `the team has ${mostForeign} workers of other programs` };
      const name = workerName(role, [...flow.workers.values()]);
      loop.run(() => loop.commit({ type: 'worker.knocked', name, role, ...asked, key: sha256(key) }));
      watch();
      return { worker: name };
    },
    knows: (worker, key) => memberOf(worker)?.foreign?.key === sha256(key),
    standing,
    claim: (worker, task) => loop.run(() => claim(worker, task)),
    release: (worker, reason) =>
      loop.run(() => {
        const now = standing(worker);
        if (now.kind !== 'member') return 'you are not a worker of this session';
        if (now.task === null) return 'you have no task';
        loop.commit({ type: 'task.released', task: now.task, worker, reason });
        return null;
      }),
    message: (worker, { kind, to, text }) =>
      loop.run(() => {
        if (standing(worker).kind !== 'member') return 'you are not a worker of this session';
        const flow = flowOf();
        if (flow === null) return 'the session is over';
        const list = claimableList(loop.state());
        const other = to === null ? null : memberOf(to);
        const task = other === null ? null : ownTask(list, other);
        const since = task === null ? null : (flow.claims.get(task.id)?.since ?? null);
        const refused = refuseMessage({
          ...{ kind, to, worker, list },
          members: members(flow),
          idleMs: since === null ? 0 : options.clock.now() - Date.parse(since),
          woken: flow.messages.woken,
        });
        loop.commit({
          type: 'worker.messaged',
          worker,
          kind,
          to,
          text,
          ...(refused === null ? {} : { refused }),
        });
        // It is data for the other one: no record of a person goes with it.
        if (refused === null && to !== null)
          core.mailbox.publish({
            type: 'INFO',
            target: 'Executor',
            from: worker,
            message: text,
            worker: to,
          });
        return refused;
      }),
    connect,
    look: () => {
      look(() => true);
      watch();
    },
  };
};

const mostForeign = 32;

const isListDone = ({ state }: Pick<SessionState, 'state'>): boolean =>
  state !== 'PLANNING' && state !== 'EXECUTING_BATCH';

const idleWords = (list: readonly Claimable[], member: TeamMember): string => {
  const gate = stopGate(list, member, null);
  if (gate.kind === 'shutdown') return 'the list is done';
  if (gate.kind !== 'idle' || gate.why === 'other-roles') return `no task of the ${member.role} is free`;
  const waits = list.find(({ id }) => id === gate.tasks[0])?.blockedBy ?? [];
  return `${gate.tasks[0] ?? ''} waits for ${waits.join(', ')}`;
};

/** Its process is of another boot or container, so that no one can look. Only a task is at stake. */
const askAbout = (core: Core, member: TeamMember, isAnew: boolean): void => {
  const { loop } = core;
  const { name, foreign } = member;
  const request = lostRequestOf(name);
  const earlier = loop.state().questions.get(request);
  const isAsked = earlier !== undefined && (earlier.answer === null || !isAnew);
  const task = ownTask(claimableList(loop.state()), member);
  if (isAsked || task === null) return;
  loop.commit({
    type: 'question.asked',
    request,
    kind: 'join',
    text: `Does ${name} still work on ${task.id}? Its connection broke, and its process ${foreign?.process.pid ?? ''} belongs to another boot or container, so that no one can look.`,
    options: [
      { id: 'gone', label: 'its task is free for others' },
      { id: 'works', label: 'it keeps its task' },
    ],
    invocation: null,
  });
};

/** Whoever has its key is the worker: a question whether it still works is answered. */
const cameBack = ({ loop }: Core, worker: string): void => {
  const request = lostRequestOf(worker);
  if (!loop.isOpen() || loop.state().questions.get(request)?.answer !== null) return;
  const answer = 'works';
  loop.commit({ type: 'question.answered', request, option: answer, answer, by: worker, signal: null });
};
