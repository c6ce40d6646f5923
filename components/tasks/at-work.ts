import { count } from '../../src/words/local-time.ts';
import type { ViewState } from '../view.ts';

/** Number of running agents. */
export const atWork = ({ session }: ViewState): number =>
  [...(session?.invocations.values() ?? [])].filter(({ stage }) => stage === 'running').length;

/** What becomes of the tasks that agents are working on: only an attempt is lost, not a review. */
export const abortedTasks = ({ session }: ViewState): readonly string[] => {
  const tasks = [...(session?.tasks.values() ?? [])];
  const running = tasks.filter(({ status }) => status === 'running').length;
  const inReview = tasks.filter(({ status }) => status === 'review').length;
  return [
    ...(running === 0
      ? []
      : [`${count(running, 'running task')} ${running === 1 ? 'is' : 'are'} marked failed.`]),
    ...(inReview === 0
      ? []
      : [`${count(inReview, 'task')} in review ${inReview === 1 ? 'stays' : 'stay'} "to review".`]),
  ];
};
