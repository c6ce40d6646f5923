import type { SessionState } from '../state.ts';

/**
 * Why a person cannot take back or bring again what a task changed; `null` when nothing of the session forbids it. Once the session has ended, git
 * decides. Before that only work counts that is settled and that no task waits for: others would start from it.
 */
export const whyNoTurn = (
  { state, tasks }: Pick<SessionState, 'state' | 'tasks'>,
  id: string,
): string | null => {
  if (state === 'COMPLETE') return null;
  const task = tasks.get(id);
  if (task !== undefined && isOpen(task.status))
    return `neither ${id} nor the session has ended: cancel or retry ${id} instead`;
  const waiting = [...tasks.values()].filter(
    ({ definition, status }) => status !== 'cancelled' && definition.blockedBy.includes(id),
  );
  if (waiting.length === 0) return null;
  const names = waiting.map(({ definition }) => definition.id).join(', ');
  return `the session has not ended, and ${names} ${waiting.length === 1 ? 'builds' : 'build'} on ${id}: cancel or retry ${id} instead`;
};

const isOpen = (status: string): boolean => ['open', 'running', 'review'].includes(status);
