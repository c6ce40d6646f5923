import type { Outcome } from '../../src/agents/outcome.ts';

/** Outcomes as agents bring them, with what a test does not care about left empty. */
export const plannerOutcome = (mode: string): Outcome => ({
  role: 'Planner',
  status: 'completed',
  blockers: [],
  mode,
  iteration: 1,
  artifacts_created: [],
  artifacts_updated: [],
  tasks_defined: 0,
  waves_planned: 0,
  next_action: '',
});

export const executorOutcome = (task: string, attempt: number): Outcome => ({
  role: 'Executor',
  status: 'completed',
  blockers: [],
  task_id: task,
  iteration: 1,
  attempt_number: attempt,
  report_path: `reports/${task}-report.md`,
  success_criteria_met: true,
  criteria_breakdown: { total: 0, met: 0, not_met: 0 },
  files_modified: [`src/${task}.ts`],
  feedback_addressed: [],
  discovered_tasks: [],
});

export const reviewerOutcome = (verdict: 'Qualified' | 'Failed', feedback: string): Outcome => ({
  role: 'Reviewer',
  status: 'completed',
  blockers: [],
  mode: 'TASK_REVIEW',
  verdict,
  criteria_results: {},
  feedback,
  commit_status: 'skipped',
  gaps: [],
  next_action: '',
});
