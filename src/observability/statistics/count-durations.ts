import { type Earlier, nothingEarlier } from '../../pipeline/scheduling/task-times.ts';
import { createUsageCount } from './count-usage.ts';
import type { Counter } from './counter.ts';

/** How long the work of tasks took, and what sessions cost for each task that was done. The last session that is taken counts most. */
export const createDurationCount = (): Counter<Earlier> => {
  const usage = createUsageCount(() => '');
  const tasks: Record<string, { readonly title: string; readonly ms: number }> = {};
  const works: number[] = [];
  let [done, titles, started] = [0, new Map<string, string>(), new Map<string, number>()];
  return {
    begin: () => {
      usage.begin();
      titles = new Map();
      started = new Map();
    },
    take: (event, at) => {
      usage.take(event, at);
      switch (event.type) {
        case 'tasks.defined':
        case 'iteration.started':
          for (const { id, title } of event.tasks) titles.set(id, title);
          break;
        case 'task.started':
          started.set(event.task, at);
          break;
        // What stood still for a person is no work.
        case 'hold.begun':
        case 'session.stopped':
          started.clear();
          break;
        case 'permission.asked':
        case 'question.asked':
          if (event.task !== undefined) started.delete(event.task);
          break;
        case 'task.submitted': {
          const since = started.get(event.task);
          const title = titles.get(event.task);
          if (since === undefined || title === undefined) break;
          const ms = Math.max(0, at - since);
          tasks[event.task] = { title, ms };
          works.push(ms);
          break;
        }
        case 'task.qualified':
          done += 1;
          break;
        default:
          break;
      }
    },
    result: () => {
      const ids = Object.keys(tasks);
      if (ids.length === 0) return nothingEarlier;
      const [cost] = usage.result().total.costs;
      return {
        tasks: Object.fromEntries(
          ids.slice(-mostTasks).flatMap((id) => (tasks[id] ? [[id, tasks[id]]] : [])),
        ),
        usual: {
          tasks: works.length,
          ms: Math.round(works.reduce((sum, ms) => sum + ms, 0) / works.length),
          cost: cost === undefined || done === 0 ? null : { ...cost, amount: cost.amount / done },
        },
      };
    },
  };
};

/** The journal of each start holds them. */
const mostTasks = 500;
