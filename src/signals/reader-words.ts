/**
 * A reader of signals in a user's words, from a name in files and events (`Ralph-v2-Executor`, `Executor~Executor-2`, `Orchestrator~1`): "the agent
 * on english", "the Planner", "the session". A name that is none of ours stays.
 */
export const readerWords = (who: string, task: string | null = null): string => {
  const [, role = ''] = ours.exec(who) ?? [];
  switch (role) {
    case '':
      return who;
    case 'Orchestrator':
      return 'the session';
    case 'Executor':
      return task === null ? 'an agent' : `the agent on ${task}`;
    case 'Reviewer':
      return task === null ? 'the Reviewer' : `the Reviewer of ${task}`;
    default:
      return `the ${role}`;
  }
};

const ours =
  /^(?:Ralph-(?:v2-)?)?(Orchestrator|Planner|Questioner|Executor|Reviewer|Librarian)(?:-\d+)?(?:~.*)?$/;

/** The invocation in `Executor~Executor-2`; a name without one is its own. */
export const invocationIn = (who: string): string => who.split('~').at(-1) ?? who;
