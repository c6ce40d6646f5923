import type { Event, EventBody } from '../pipeline/event.ts';
import { defaultSettings } from '../session/settings.ts';
import type { SessionSnapshot, SnapshotTask } from '../session/snapshot.ts';
import { bareTask } from '../tasks/task.ts';

/**
 * The events of a foreign session, derived from its files: enough for `evolve` to give the state they
 * show (src/README.md, invariant 5). Facts that the files do not hold are left out and show as "—".
 */
export const eventsOfSnapshot = (snapshot: SessionSnapshot): readonly Event[] => {
  const { metadata, iteration, state, status } = snapshot;
  const created = metadata?.created_at ?? '';
  const at = metadata?.updated_at ?? created;
  const definitions = snapshot.tasks.map((task) => task.definition ?? bareTask(task.id, iteration));
  const bodies: EventBody[] = [
    {
      type: 'session.created',
      session_id: snapshot.session,
      workspace: snapshot.workspace,
      goal: snapshot.goal ?? '',
      source: 'goal',
      settings: defaultSettings,
    },
    ...(iteration > 1 ? [{ type: 'iteration.started' as const, iteration, feedback: [], tasks: [] }] : []),
    { type: 'tasks.defined', tasks: definitions },
    ...snapshot.tasks.flatMap(eventsOfTask),
    ...(state === null
      ? []
      : [{ type: 'state.entered' as const, state, previous: metadata?.previous_state ?? null }]),
    ...(metadata?.current_wave
      ? [{ type: 'wave.chosen' as const, wave: metadata.current_wave, tasks: [] }]
      : []),
    ...(metadata?.paused
      ? [{ type: 'hold.requested' as const, signal: metadata.paused.signal, by: metadata.paused.by }]
      : []),
    ...(status === null || status === 'in_progress'
      ? []
      : [
          {
            type: 'session.stopped' as const,
            session_id: snapshot.session,
            status,
            reason: metadata?.stop_reason ?? '',
            exit_code: status === 'completed' ? 0 : 1,
          },
        ]),
  ];
  return bodies.map((body, index) => ({ ...body, seq: index + 1, at: index === 0 ? created : at }));
};

const eventsOfTask = (task: SnapshotTask): readonly EventBody[] => {
  const { id, status, notes } = task;
  const attempt = task.attempt ?? task.reports.length;
  const reason = notes.join(', ');
  const started: EventBody = {
    type: 'task.started',
    task: id,
    attempt,
    invocation: `${id}-${attempt}`,
    owner: task.owner ?? '',
  };
  switch (status) {
    case 'open':
      return [];
    case 'running':
      return [started];
    case 'review':
      return [
        started,
        { type: 'task.submitted', task: id, attempt, invocation: `${id}-${attempt}`, files: [] },
      ];
    case 'done':
      return [started, { type: 'task.qualified', task: id, attempt }];
    case 'failed':
      return [started, { type: 'task.failed', task: id, attempt, reason, counts: true, final: true }];
    case 'cancelled':
      return [{ type: 'task.cancelled', task: id, reason }];
  }
};
