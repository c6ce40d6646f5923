import type { Clock } from '../../base/clock.ts';
import type { Fault } from '../../base/fault.ts';
import type { Tracker } from '../../issues/trackers/tracker.ts';
import type { DebugLog } from './debug-log.ts';
import { plainRecord } from './debug-record.ts';

/** The tracker with a record for every call. Trackers return their errors: a returned one is a failed call. */
export const loggedTracker = (tracker: Tracker, log: DebugLog, clock: Clock): Tracker => {
  const logged = async <T extends Answer>(
    event: string,
    params: Readonly<Record<string, unknown>>,
    call: () => Promise<T>,
  ): Promise<T> => {
    const from = clock.monotonic();
    const answer = await call();
    const fault = faultOf(answer);
    log.add({
      ...plainRecord('tracker', tracker.name, event),
      params: { ...params },
      duration_ms: Math.round(clock.monotonic() - from),
      ok: fault === null,
      error: fault?.what ?? null,
      error_type: fault?.code ?? null,
      rate_limit: fault !== null && /rate|limit/.test(fault.code),
    });
    return answer;
  };
  const { editing } = tracker;
  return {
    ...(editing === undefined
      ? {}
      : {
          editing: {
            keys: editing.keys,
            edit: (id, change) => logged('edit', { id }, () => editing.edit(id, change)),
          },
        }),
    name: tracker.name,
    isShared: tracker.isShared,
    list: () => logged('list', {}, () => tracker.list()),
    show: (id) => logged('show', { id }, () => tracker.show(id)),
    update: (id, change, revision) =>
      logged('update', { id, change, revision }, () => tracker.update(id, change, revision)),
    comment: (id, body) =>
      logged('comment', { id, characters: body.length }, () => tracker.comment(id, body)),
    create: (draft) =>
      logged('create', { title: draft.title, labels: draft.labels ?? [] }, () => tracker.create(draft)),
  };
};

type Answer =
  | { readonly ok: true }
  | { readonly ok: false; readonly faults: readonly Fault[] }
  | { readonly ok: false; readonly error: Fault };

const faultOf = (answer: Answer): Fault | null => {
  if (answer.ok) return null;
  return 'error' in answer
    ? answer.error
    : (answer.faults[0] ?? { code: 'unknown', what: 'no reason was given' });
};
