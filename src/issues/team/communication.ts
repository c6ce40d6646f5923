/**
 * What goes where between the workers of a team (seed 003, section 7.1, Communication Discipline): `ralph-tui help conventions` prints these rules, and the
 * workers of other programs, who alone can send messages, read them when they connect.
 */
export const communicationRules = {
  assignment: 'A claim is the only assignment. No message assigns a task, or confirms that one was taken.',
  reporting:
    'Results and progress belong in the task (task_update). A message is an escalation to the person in charge, or an answer to a worker that asked.',
  nudge:
    'A worker without a task is not nudged. A worker of another program that has had a task for 2 minutes and does nothing gets one wake message.',
} as const;
