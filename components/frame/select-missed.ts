import type { Event } from '../../src/pipeline/event.ts';
import { selectNeeds } from '../needs/select-needs.ts';
import type { ViewState } from '../view.ts';

/**
 * "Since you left: 4 done, 1 failed, 2 wait for you": the result of the events after `seen`, the last one that a screen had shown. `null`
 * when there is none. Counts each task by its present state: one that failed and passed later is done.
 */
export const selectMissed = (view: ViewState, events: readonly Event[], seen: number): string | null => {
  const { session } = view;
  if (session === null) return null;
  const touched = new Set<string>();
  for (const event of events)
    if (event.seq > seen && (event.type === 'task.qualified' || event.type === 'task.failed'))
      touched.add(event.task);
  const count = (status: string): number =>
    [...touched].filter((task) => session.tasks.get(task)?.status === status).length;
  const done = count('done');
  const failed = count('failed');
  const waiting = selectNeeds(view).filter((need) => isNews(need.since, events, seen)).length;
  const parts = [
    done > 0 ? `${done} done` : '',
    failed > 0 ? `${failed} failed` : '',
    waiting > 0 ? `${waiting} waiting for you` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : `Since you left: ${parts.join(', ')}`;
};

/** A gate or question that was already on screen is no news. */
const isNews = (since: string, events: readonly Event[], seen: number): boolean =>
  events.some((event) => event.seq > seen && event.at === since);
