import { safe } from '../../src/base/safe.ts';
import type { ChangesStep, FinishHow } from '../../src/pipeline/changes/changes-state.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { count } from '../../src/words/local-time.ts';
import { selectStanding } from '../tasks/select-tasks.ts';
import type { NowLine } from './now-line.ts';

/** Nothing runs and nothing waits: the machine is between two steps. */
export const between = (session: SessionState): NowLine => {
  const { step } = session.changes;
  if (step !== null) return { tone: 'work', text: `Now: ${atGit(session, step)}` };
  const texts: { readonly [state in SessionState['state']]: string } = {
    INITIALIZING: 'Now: preparing the session',
    PLANNING: 'Now: choosing the next planning step',
    REPLANNING: 'Now: planning the next iteration',
    BATCHING: 'Now: choosing what may start',
    EXECUTING_BATCH: betweenTasks(session),
    REVIEWING_BATCH: 'Now: handing results to the Reviewer',
    SESSION_REVIEW: 'Now: preparing the session review',
    KNOWLEDGE_EXTRACTION: 'Now: preparing to collect what was learned',
    KNOWLEDGE_APPROVAL: 'Now: asking which lessons to keep',
    COMPLETE: 'Complete',
    RUNNING: 'Now: reading the result of the turn',
    DRAINING: 'Draining: stopping now',
    STOPPED: 'Stopped',
  };
  return { tone: 'work', text: texts[session.state] };
};

const betweenTasks = (session: SessionState): string => {
  const ready = selectStanding(session).ready.length;
  if (ready > 0) return `Now: starting ${count(ready, 'ready task')}`;
  const handedIn = [...session.tasks.values()].find(({ status }) => status === 'review');
  return handedIn === undefined
    ? 'Now: checking which tasks can start'
    : `Now: checking the result of ${handedIn.definition.id}`;
};

/** In a large repository git works for many seconds. */
const atGit = ({ changes: { session } }: SessionState, step: ChangesStep): string => {
  const branch = safe(session?.branch ?? 'the branch');
  switch (step.kind) {
    case 'merge':
      return `merging ${safe(step.task)} into ${branch}`;
    case 'land':
      return `moving ${branch} to the verified merge of ${safe(step.task)}`;
    case 'take-back':
      return `taking ${safe(step.task)} back from ${branch}`;
    case 'turn':
      return `${step.way === 'undo' ? 'undoing' : 'redoing'} ${safe(step.task)}`;
    case 'finish':
      return finishing[step.how](branch);
    case 'tear-down':
      return 'running worktree.teardown';
  }
};

const finishing: { readonly [how in FinishHow]: (branch: string) => string } = {
  keep: (branch) => `keeping ${branch} and removing the worktrees`,
  merge: (branch) => `merging ${branch} into your branch`,
  squash: (branch) => `adding ${branch} to your branch as one commit`,
  'pull-request': (branch) => `preparing a pull request from ${branch}`,
};
