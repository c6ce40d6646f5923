import { safe } from '../../../base/safe.ts';
import type { SessionChanges } from '../../../changes/port.ts';
import { openPhase, planPhases } from '../../../issues/documents/plan-boxes.ts';
import { ask } from '../../../session/forms/question.ts';
import { answerTo, stopped } from '../exchange.ts';
import { withAgent } from '../open-agent.ts';
import type { SkillEnd, SkillRun } from '../skill-run.ts';
import { finishPlan } from './finish-plan.ts';
import { openPhasePlace, taskOfPhase } from './phase-place.ts';
import { openPlanFile, type PlanFile } from './plan-file.ts';
import { openPlace, type PlanPlace } from './plan-place.ts';
import type { PlanTalk } from './plan-talk.ts';
import { workOnPhase } from './work-on-phase.ts';

const leftIt: SkillEnd = { ended: 'left', lines: [] };

/**
 * Carries a plan out phase by phase, beginning at the first open one. Each phase has an attempt of its own, in a worktree where the person wants one, and an
 * agent that knows only the plan. Automated boxes are ticked by commands that this program runs, the others by the person; then the phase is merged.
 */
export const implementPlan = async (run: SkillRun, talk: PlanTalk): Promise<SkillEnd> => {
  const plan = await openPlanFile(run);
  if (plan === null) return leftIt;
  if (planPhases(plan.text()).length === 0) {
    run.journal.add({ type: 'ended', why: 'done' });
    return {
      ended: 'done',
      lines: [`${safe(plan.path)} has no phase with boxes, so there is nothing to do.`],
    };
  }
  const place = await openPlace(run, plan.path);
  if (place === null) return leftIt;
  const end = await phases(run, talk, plan, place);
  // The branch stays; the worktrees of phases that are open stay, too.
  await place.changes?.close();
  return end;
};

const phases = async (run: SkillRun, talk: PlanTalk, plan: PlanFile, place: PlanPlace): Promise<SkillEnd> => {
  for (let isFirst = true; ; isFirst = false) {
    const phase = await nextPhase(plan.text(), place.changes);
    if (phase === null) {
      const finished = await finishPlan(run, talk, plan, place);
      if (finished !== 'reopened') return finished;
      continue;
    }
    if (!isFirst && !(await mayBegin(run, phase))) return leftIt;
    const end = await phaseDone(run, talk, plan, place, phase);
    if (end !== 'done') return end;
  }
};

/** Each phase begins on the person's word, because it calls a model. */
const mayBegin = async (run: SkillRun, phase: string): Promise<boolean> => {
  const question = ask(`begin-${run.journal.talk().turns.length}`, 'choice', `Begin ${safe(phase)}?`, {
    options: [
      { id: 'begin', label: 'yes, begin', detail: '' },
      { id: 'later', label: 'later', detail: 'leave and continue later' },
    ],
  });
  const answer = await answerTo(run, question);
  if (answer === 'later') run.journal.add({ type: 'ended', why: 'left' });
  return answer === 'begin';
};

const phaseDone = async (
  run: SkillRun,
  talk: PlanTalk,
  plan: PlanFile,
  place: PlanPlace,
  phase: string,
): Promise<SkillEnd | 'done'> => {
  const { journal } = run;
  if (journal.talk().phase !== phase) journal.add({ type: 'phase', name: phase });
  const at = await openPhasePlace(run, place.changes, plan.path, phase);
  const { skill, profile } = talk;
  const work = withAgent(run, { skill, profile, directory: at.directory }, (agent) =>
    workOnPhase(run, { ...talk, agent, plan, phase, place: at }),
  );
  const isDone = await work.catch((error: unknown) => stopped(run, error));
  if (typeof isDone === 'object') return isDone;
  if (!isDone) return leftIt;
  journal.add({ type: 'said', by: 'program', text: `${safe(phase)} is done.` });
  return 'done';
};

/** The first phase with an open box, or with work that was not merged: a crash may have come between its last tick and its merge. */
const nextPhase = async (plan: string, changes: SessionChanges | null): Promise<string | null> => {
  const open = openPhase(plan);
  if (changes === null) return open;
  const attempts = await changes.attempts();
  const unmerged = new Set(
    attempts.ok
      ? attempts.value.flatMap(({ task, state, directory }) =>
          directory !== null && state !== 'merged' ? [task] : [],
        )
      : [],
  );
  return planPhases(plan).find((phase) => phase === open || unmerged.has(taskOfPhase(phase))) ?? null;
};
