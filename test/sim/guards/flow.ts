import { type IssueState, isTerminal } from '../../../src/issues/state.ts';
import { flowTaskOf } from '../../../src/issues/task-list/stored-task.ts';
import { leftToPerson } from '../../../src/issues/task-list/task-phase.ts';
import type { EventOf } from '../../../src/pipeline/event.ts';
import type { SessionState } from '../../../src/pipeline/state.ts';
import type { Act } from '../flow/ledger.ts';
import type { CreateGuard, Scene } from './guard.ts';

/**
 * The engine alone moves issues beside people, never one that a person closed or took over, and to In Progress only after a plan that was approved: by a
 * person where the gate says so.
 */
export const guardIssues: CreateGuard = (scene) => {
  const { flow, say } = scene;
  const answers: Answers = new Map();
  const look = (): void => {
    for (const id of flow?.ledger.foreign() ?? [])
      say(`issue ${id} is ${flow?.ledger.stateOf(id)}, and neither the engine nor a person put it there`);
  };
  return {
    see: (event) => {
      if (event.type === 'question.answered') answers.set(event.request, event);
    },
    act: (act, state) => {
      if (act.kind !== 'write') return;
      const at = `event ${state.seq}: issue ${act.issue}`;
      if (act.heldBy !== null) say(`${at} was held by ${act.heldBy}, which lives, and the engine changed it`);
      const to = act.change.state;
      if (to === undefined || to === act.before) return;
      if (isTerminal(act.before)) say(`${at} was ${act.before}, and the engine moved it to ${to}`);
      // A person tries a failed task again, whose issues the engine left to a person.
      const { step = null, works } = state.flow ?? {};
      const isTriedAgain =
        act.before === 'Human Needed' &&
        step?.kind === 'lock' &&
        works?.get(step.task)?.left?.some(({ issue }) => issue === act.issue) === true;
      if (isTriedAgain) return;
      if (act.before === 'Human Needed') say(`${at} needed a person, and the engine moved it to ${to}`);
      if (to === 'In Progress' && act.before !== 'In Review') {
        const why = unapproved(scene, answers, state);
        if (why !== null) say(`${at} was moved to In Progress ${why}`);
      }
    },
    look,
    end: look,
  };
};

type Answers = Map<string, EventOf<'question.answered'>>;

/** Why the plan under way was not approved, or `null`. */
const unapproved = ({ sent }: Scene, answers: Answers, { flow, tasks }: SessionState): string | null => {
  const step = flow?.step;
  if (flow?.review === 'skip') return null;
  if (step?.kind !== 'decide' || step.verdict !== 'approved') return 'without a decision about its plan';
  const critique = flow?.works.get(step.task)?.result;
  const definition = tasks.get(step.task)?.definition;
  const isGated = definition !== undefined && flowTaskOf(definition)?.gate === 'human';
  const isLeft = isGated && critique?.phase === 'review' && critique.result === leftToPerson;
  if (!isLeft && (critique?.phase !== 'review' || critique.result !== 'APPROVED'))
    return 'against the critique';
  if (!isGated) return null;
  const answer = answers.get(`plan:${step.task}`);
  if (answer === undefined) return 'without the word of a person';
  if (sent.get(answer.signal ?? '')?.forged !== false) return 'by a file of nobody known';
  return answer.option === 'approve' || answer.option === 'minor' ? null : `by "${answer.option}"`;
};

/** Each document is linked once, and no lock of the session is left when it has ended. */
export const guardTracker: CreateGuard = ({ flow, say }) => ({
  end: (state) => {
    if (flow === null) return;
    const { ledger, holder } = flow;
    for (const id of ledger.ids()) {
      const documents = ledger.comments(id).filter((body) => body.startsWith('## '));
      for (const body of new Set(documents)) {
        const times = documents.filter((each) => each === body).length;
        if (times > 1) say(`issue ${id} has ${times} links to the same document: ${body.slice(0, 60)}`);
      }
      // A tracker that refuses, or is away, keeps no session from ending: the next one finds the dead lock.
      const refuses = state.status === 'blocked' || state.flow?.refusal !== null || state.flow.away !== null;
      if (ledger.lockOf(id) === holder.session && !refuses) say(`issue ${id} is still locked at the end`);
    }
  },
});

/** No work gets onto the branch of its stream whose issue a person closed, took over or deleted before it was read for that. */
export const guardLandings: CreateGuard = ({ flow, say }) => {
  /** The states of a task's issues at the look before it lands. */
  const seen = new Map<string, ReadonlyMap<string, IssueState | null>>();
  const issuesOf = ({ tasks }: SessionState, id: string): readonly string[] => {
    const task = tasks.get(id);
    return (task === undefined ? null : flowTaskOf(task.definition))?.issues ?? [];
  };
  return {
    see: (event, state, isLate) => {
      if (flow === null) return;
      const { ledger } = flow;
      if (event.type === 'flow.step-started' && event.step.kind === 'see-issues') {
        const { task } = event.step;
        const then = isLate ? [] : issuesOf(state, task);
        seen.set(task, new Map(then.map((id) => [id, ledger.stateOf(id)])));
      }
      if (event.type !== 'landing.started') return;
      const at = `event ${event.seq}: ${event.task} lands`;
      const before = seen.get(event.task);
      if (before === undefined) say(`${at}, and nobody looked at its issues`);
      for (const [id, was] of isLate ? [] : (before ?? [])) {
        // The session itself left it to a person when another task of it failed: the work that a person asked for goes its way.
        const isLeft = [...(state.flow?.works.values() ?? [])].some((work) =>
          work.left?.some(({ issue }) => issue === id),
        );
        const isOff = was === null || isTerminal(was) || (was === 'Human Needed' && !isLeft);
        if (isOff && ledger.stateOf(id) === was) say(`${at}, and issue ${id} was ${was} before`);
      }
    },
  };
};

/** What is merged was approved, done and checked, and nobody closed it or took it over meanwhile. One pull request is open for a branch. */
export const guardMerges: CreateGuard = ({ flow, say }) => {
  /** Issues whose work may begin: it had before the session, a person said so, or their plan was approved. */
  const approved = new Set<string>();
  /** Implementations whose commands passed on their branch. */
  const verified = new Set<string>();
  /** Implementations whose review ended without a verdict. */
  const unreviewed = new Set<string>();
  let begun = false;
  const look = (): void => {
    for (const id of flow?.ledger.ids() ?? []) {
      const state = flow?.ledger.stateOf(id);
      const isLate = state === 'In Progress' || state === 'In Review';
      if (isLate && (!begun || flow?.ledger.touched.has(id))) approved.add(id);
    }
    begun = true;
  };
  look();
  const mergeProblems = (act: Extract<Act, { kind: 'merge' }>, state: SessionState): readonly string[] => {
    const step = state.flow?.step;
    const task = step?.kind === 'record' ? state.tasks.get(step.task) : undefined;
    const listed = task === undefined ? null : flowTaskOf(task.definition);
    if (listed?.phase !== 'merge') return ['outside of a merge'];
    if (state.flow?.auto_merge !== true) return ['without leave'];
    if (act.checks === 'failed' || act.checks === 'pending') return [`while its checks are ${act.checks}`];
    const works = [...state.tasks.values()].filter(({ definition }) => {
      const each = flowTaskOf(definition);
      return each?.phase === 'implement' && each.issues.some((id) => listed.issues.includes(id));
    });
    const doneWorks = works.filter(({ status }) => status === 'done');
    const unverified = doneWorks.filter(
      ({ definition }) => act.checks === null && !verified.has(definition.id),
    );
    const merged = doneWorks.flatMap(({ definition }) => flowTaskOf(definition)?.issues ?? []);
    const states = listed.issues.map((id) => flow?.ledger.stateOf(id) ?? null);
    return [
      ...unverified.map(({ definition }) => `and nothing shows that ${definition.id} is good`),
      ...doneWorks
        .filter(({ definition }) => unreviewed.has(definition.id))
        .map(({ definition }) => `and no one reviewed ${definition.id}`),
      ...(merged.length === 0 ? ['and none of its issues was worked on'] : []),
      ...merged.filter((id) => !approved.has(id)).map((id) => `and the plan of ${id} was never approved`),
      ...(states.every((each) => each === null || each === 'Canceled' || each === 'Human Needed')
        ? [`and its issues are ${states.map(String).join(', ')}`]
        : []),
    ];
  };
  return {
    act: (act, state) => {
      look();
      if (act.kind === 'write' && act.change.state === 'In Progress') approved.add(act.issue);
      if (act.kind === 'pull-request' && act.open > 1)
        say(`${act.branch} has ${act.open} open pull requests`);
      if (act.kind !== 'merge') return;
      for (const why of mergeProblems(act, state)) say(`event ${state.seq}: ${act.branch} was merged ${why}`);
    },
    look,
    see: (event, state) => {
      if (event.type === 'invocation.ended' && event.outcome?.role === 'Reviewer') {
        const { task } = state.invocations.get(event.invocation) ?? { task: null };
        if (task !== null && event.outcome.verdict === 'Qualified') verified.add(task);
      }
      if (event.type === 'review.missed' && event.next === 'merge') unreviewed.add(event.task);
      if (event.type === 'task.submitted') unreviewed.delete(event.task);
      if (event.type === 'merge.rejected') verified.delete(event.task);
      if (event.type !== 'result.recorded') return;
      const task = state.tasks.get(event.task);
      const listed = task === undefined ? null : flowTaskOf(task.definition);
      if (listed?.phase !== 'merge' || event.result['state'] !== 'MERGED') return;
      const works = [...state.tasks.values()].filter(({ definition }) => {
        const each = flowTaskOf(definition);
        return each?.phase === 'implement' && each.issues.some((id) => listed.issues.includes(id));
      });
      if (works.length === 0)
        say(`event ${event.seq}: ${listed.issues.join(', ')} counts as merged, and no work of it is known`);
    },
  };
};
