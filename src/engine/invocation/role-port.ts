import type { Brief, Directive, Message, RolePort, TurnResult, Worker } from '../../agents/port.ts';
import type { RoleFact } from '../../agents/role-fact.ts';
import { standsIn } from '../../agents/stands-in.ts';
import { guidanceWords } from '../../session/guidance/format-guidance.ts';
import { noGuidance, saysTheSame } from '../../session/guidance/guidance.ts';
import type { Core } from '../core.ts';
import type { Active } from './active.ts';
import type { InvocationContext } from './invocation-context.ts';
import { type CommandLog, factBody } from './invocation-facts.ts';
import { consumerOf } from './notice-mail.ts';

/** The engine as a role procedure sees it: its brief, checkpoints, turns of its worker, and facts to report. */
export const rolePort = (
  context: InvocationContext,
  active: Active,
  brief: Brief,
  worker: Worker,
): RolePort => {
  const { core, checkpoints, commits } = context;
  const consumer = { ...consumerOf(brief), ...(standsIn(brief) ? { standsIn: true } : {}) };
  const news = [guidanceNews(core, brief), ordersNews(core, brief)];
  const checkpoint: RolePort['checkpoint'] = async (id) => {
    if (active.over || active.stop || !core.loop.isOpen()) return directive(context, active, []);
    active.alive = core.options.clock.monotonic();
    return directive(
      context,
      active,
      core.loop.run(() => {
        const messages = checkpoints.poll(consumer, id, true);
        return [...news.flatMap((each) => each()), ...messages];
      }),
    );
  };
  return {
    brief,
    checkpoint,
    turn: (ask, boundary) => {
      const work = async (): Promise<TurnResult> => {
        if (!goesOn(context)) return { kind: 'stopped', why: 'abort' };
        // A commit runs hooks: what an earlier agent left running may have changed them since.
        if (ask.kind === 'commit') {
          context.guard.look();
          const refusal = await context.hooks.refuses(active);
          if (refusal !== null) return { kind: 'answered', answer: { ...uncommitted, ...refusal } };
        }
        active.alive = core.options.clock.monotonic();
        active.boundary = boundary;
        const pass = async (): Promise<Directive> =>
          boundary === null ? directive(context, active, []) : checkpoint(boundary);
        return context.guard
          .around(brief, () => worker.turn(ask, pass))
          .finally(() => {
            active.boundary = null;
          });
      };
      return ask.kind === 'commit' ? commits.take(active, () => context.guards.ours(work)) : work();
    },
    emit: (fact) => emit(context, active, fact),
  };
};

/** The answer of a commit step that ran nothing. */
const uncommitted = { status: 'failed', files: [], unattributed: [] } as const;

/** Journals a fact of a role or its worker. */
export const emit = (context: InvocationContext, active: Active, fact: RoleFact): void => {
  const { core, deliveries } = context;
  const { loop, options } = core;
  if (active.over || !loop.isOpen()) return;
  active.alive = options.clock.monotonic();
  loop.run(() => {
    // What was printed before it comes before it.
    active.log.show();
    const log = printedBefore(active, fact);
    loop.commit(factBody(active.brief, fact, backendOf(context, active), log));
    // The intent is written before the process exists. No fsync: a power loss would also end the process.
    if (fact.type === 'command.started' || fact.type === 'agent.launched') loop.write();
    if (fact.type === 'steer.decided') deliveries.decided(active.brief.invocation, fact);
    if (fact.type === 'message.arrived') deliveries.arrived(active.brief.invocation, fact);
    if (fact.type === 'message.carried') deliveries.carried(active.brief.invocation, fact.id);
  });
};

/** Tells an agent with a model, once for each change, guidance that changed since its first prompt. */
const guidanceNews = ({ loop }: Core, brief: Brief): (() => readonly Message[]) => {
  let told = brief.guidance ?? noGuidance;
  return () => {
    if (!loop.isOpen() || brief.model === undefined) return [];
    const { guidance, seq } = loop.state();
    if (saysTheSame(guidance, told)) return [];
    told = guidance;
    const text = `The guidance has changed. From now on: ${guidanceWords(guidance)}`;
    return [{ id: `guidance-${seq}`, kind: 'INFO', text }];
  };
};

/** Tells an agent once of each order that the person took back since it began. */
const ordersNews = ({ loop }: Core, { invocation, messages }: Brief): (() => readonly Message[]) => {
  const told = new Set(messages.map(({ id }) => id));
  return () => {
    const fresh = (loop.isOpen() ? loop.state().invocations.get(invocation)?.takenBack : undefined) ?? [];
    const news = fresh.filter(({ id }) => !told.has(id));
    for (const { id } of news) told.add(id);
    return news;
  };
};

const goesOn = ({ core: { loop } }: InvocationContext): boolean => loop.isOpen() && loop.state().running;

const directive = (
  context: InvocationContext,
  active: Active,
  messages: Extract<Directive, { kind: 'go' }>['messages'],
): Directive => {
  const { loop } = context.core;
  if (!goesOn(context) || active.stop === 'abort' || loop.state().abort) return { kind: 'abort' };
  if (active.stop || active.over) return { kind: 'cancel', reason: active.stop ?? 'it was ended' };
  // Delivered messages must arrive first: the pause waits for the next boundary.
  if (loop.state().hold && messages.length === 0) return { kind: 'pause' };
  return { kind: 'go', messages };
};

const backendOf = ({ core }: InvocationContext, { brief }: Active): string =>
  core.loop.state().invocations.get(brief.invocation)?.backend ?? brief.role;

/**
 * Position in the log of what belongs before this fact: the output of a command that ended, the words of an agent up to its next tool call or the end of
 * its reply. The journal keeps it, so that they are there after a restart. A tool call releases nothing that the search for secrets holds back.
 */
const printedBefore = (active: Active, { type }: RoleFact): CommandLog | null => {
  const { log, from } = active;
  switch (type) {
    case 'command.started':
    case 'prompt.sent':
      active.from = log.mark().size;
      return null;
    case 'tool.started':
      active.from = log.size();
      return active.from > from ? { file: log.file, from, to: active.from } : null;
    case 'reply.ended':
    case 'command.ended': {
      const { size, lines } = log.mark();
      active.from = size;
      return size > from || type === 'command.ended' ? { file: log.file, from, to: size, lines } : null;
    }
    default:
      return null;
  }
};
