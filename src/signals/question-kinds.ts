import { z } from 'zod';

/** The kind of a question that an ANSWER settles. Everything that depends on it is in `questionKinds`. */
export const questionKindSchema = z.enum([
  'ask',
  'plan',
  'plan-review',
  'verify',
  'no-result',
  'review',
  'merge',
  'changes',
  'edit',
  'join',
]);
export type QuestionKind = z.infer<typeof questionKindSchema>;

/** One choice of a question. */
export const questionOptionSchema = z.object({
  /** What `option` of an ANSWER says; unique in its question. */
  id: z.string(),
  /** What the choice does, in words for people; '' where the id says it all. */
  label: z.string().default(''),
  /**
   * Whether the answer's message belongs to the choice: `may` and `must` for words to an agent, `file` for the text of a whole file, which is
   * written in an editor. Absent: the choice takes no words.
   */
  words: z.enum(['may', 'must', 'file']).optional(),
  /** The agent that works from then on. */
  agent: z.string().optional(),
});
export type QuestionOption = z.infer<typeof questionOptionSchema>;

export interface QuestionRule {
  /**
   * The answer counts only with the record that a person gave it (src/signals/README.md, rule 13): an agent can write the file, and must not approve its own work.
   * Any other answer a program may give, too, also through our MCP server (`ralph-tui mcp`).
   */
  readonly onlyPerson: boolean;
  /** Words without an option are an answer. Elsewhere they would start paid work by a typing error. */
  readonly takesWords: boolean;
  /** About an attempt of this iteration, whose number the next iteration uses again: dropped when the iteration ends. */
  readonly ofIteration: boolean;
  /**
   * The run waits for the answer once nothing else can be done; a headless one stops there with exit code 3. A question without it changes no work
   * while it is open, and is dropped when its program ends.
   */
  readonly holdsUp: boolean;
  /** The heading of its dialog. */
  readonly title: string;
  /** What several are counted by: "2 reviews". */
  readonly noun: string;
}

/** A decision about work, which ends with its iteration. */
const decision = { onlyPerson: true, takesWords: false, ofIteration: true, holdsUp: true } as const;

/** What holds for each kind of question: the one table to look into (src/signals/README.md, Types and rule 13). */
export const questionKinds: Readonly<Record<QuestionKind, QuestionRule>> = {
  /** An agent asks a person. */
  ask: {
    onlyPerson: false,
    takesWords: true,
    ofIteration: false,
    holdsUp: true,
    title: 'A question for you',
    noun: 'question',
  },
  /** The gate of the plan. */
  plan: { ...decision, title: 'The plan is waiting for you', noun: 'plan' },
  /** The plan of an issue, in mode flow: `plan:<task>`. Several may be open at once. */
  'plan-review': { ...decision, title: 'A plan is waiting for you', noun: 'plan' },
  /** Commands that a model wrote as `run` or `verify` may not run without a person. */
  verify: { ...decision, title: 'Commands are waiting for you', noun: 'question' },
  /** An agent ended twice without a result. */
  'no-result': {
    ...decision,
    ofIteration: false,
    title: 'An agent returned no result',
    noun: 'question',
  },
  /** A person reviews an attempt. */
  review: { ...decision, title: 'A review is waiting for you', noun: 'review' },
  /** A merge met a conflict or was refused. */
  merge: { ...decision, title: 'A merge is waiting for you', noun: 'merge' },
  /** The end of a session that works on a branch of its own. */
  changes: { ...decision, title: 'The changes are waiting for you', noun: 'question' },
  /** Another edit of a session file was put back, because an agent worked. Nothing waits for it, and headless does not exit 3: the engine's text holds. */
  edit: { ...decision, holdsUp: false, title: 'An edit was reverted', noun: 'question' },
  /** A worker of another program wants tasks of a team. The work continues without it. */
  join: { ...decision, ofIteration: false, holdsUp: false, title: 'A worker asks to join', noun: 'question' },
};

/** What people call a choice. The ids of the verdicts on a plan say what the review found instead of what happens. */
export const choiceName = (kind: QuestionKind, id: string): string =>
  (kind === 'plan-review' ? planVerdicts[id] : undefined) ?? id;

const planVerdicts: Readonly<Record<string, string>> = { minor: 'amend', major: 'redo' };

/** The request of the question about the plan that this task reviewed. */
export const planReviewRequest = (task: string): string => `plan:${task}`;

/** The same where only the request is known. */
export const choiceNameOf = (request: string, id: string): string =>
  request.startsWith(planReviewRequest('')) ? choiceName('plan-review', id) : id;

/** Choices without an explanation, each once. */
export const plainOptions = (ids: readonly string[]): QuestionOption[] =>
  [...new Set(ids)].map((id) => ({ id, label: '' }));
