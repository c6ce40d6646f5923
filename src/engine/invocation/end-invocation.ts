import type { RoleEnd } from '../../agents/port.ts';
import { diskCode } from '../../base/disk.ts';
import { type Fault, toFault } from '../../base/fault.ts';
import type { EventBody } from '../../pipeline/event.ts';
import { withoutSecrets, writeArtifactsAside } from '../artifacts.ts';
import { isOfModel } from '../is-of-model.ts';
import type { Active } from './active.ts';
import type { InvocationContext } from './invocation-context.ts';
import { endOf, stopBody } from './invocation-facts.ts';

/** Records the end of an invocation, once. */
export const close = (context: InvocationContext, active: Active, body: EventBody): void => {
  const { core, deliveries, actives, commits } = context;
  active.over = true;
  active.ends.abort();
  active.stall?.();
  active.log.close();
  commits.leave(active);
  actives.delete(active.brief.invocation);
  core.loop.commit(body);
  if (body.type !== 'invocation.paused')
    deliveries.over(active.brief.invocation, body.type === 'invocation.ended' ? 'ended' : 'died');
};

/** Writes the role's artifacts and records its end, unless the invocation has ended meanwhile. */
export const finish = async (context: InvocationContext, active: Active, end: RoleEnd): Promise<void> => {
  const { core } = context;
  const isMeant = (): boolean => !active.over && core.loop.isOpen();
  if (!isMeant()) return;
  const { odd, error } = await write(context, active, end, isMeant);
  if (!isMeant()) return;
  core.loop.run(() => {
    for (const fault of odd) core.problem(fault);
    if (error === null) return close(context, active, endOf(active, end));
    const fault = toFault(error, active.brief.invocation);
    if (diskCode(error) !== '') core.block(fault);
    fail(context, active, fault);
  });
};

/** Records that a procedure threw: as the requested stop, else as a failed call. */
export const crash = (context: InvocationContext, active: Active, error: unknown): void => {
  const { loop } = context.core;
  if (active.over || !loop.isOpen()) return;
  const body = active.stop ? stopBody(active.brief, active.stop) : null;
  loop.run(() =>
    body ? close(context, active, body) : fail(context, active, toFault(error, active.brief.invocation)),
  );
};

const fail = (context: InvocationContext, active: Active, fault: Fault): void =>
  close(context, active, {
    type: 'invocation.failed',
    invocation: active.brief.invocation,
    kind: 'call',
    fault,
  });

/** Oddities of the written files, or the reason why nothing was written. */
interface Written {
  readonly odd: readonly Fault[];
  readonly error: unknown;
}

const write = async (
  { core, redact }: InvocationContext,
  active: Active,
  end: RoleEnd,
  isMeant: () => boolean,
): Promise<Written> => {
  // What a model says has been in the log since it said it.
  if (end.kind === 'no-result' && !isOfModel(core, active.brief.invocation))
    active.log.write(new TextEncoder().encode(`${end.raw}\n`), 'stdout');
  if (end.kind !== 'outcome') return { odd: [], error: null };
  try {
    const artifacts = withoutSecrets(end.artifacts, redact);
    return { odd: await writeArtifactsAside(core.options, artifacts, isMeant), error: null };
  } catch (error) {
    return { odd: [], error };
  }
};
