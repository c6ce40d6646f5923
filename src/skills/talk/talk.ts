import { assertNever } from '../../base/assert-never.ts';
import type { Answers, Question } from '../../session/forms/question.ts';
import type { Entry } from './entry.ts';

/** A conversation as its journal tells it. */
export interface Talk {
  readonly skill: string;
  readonly argument: string;
  readonly mode: 'form' | 'agent';
  readonly agent: string | null;
  /** What it is about, and the text it had at the start; `null` before that is known. */
  readonly about: { readonly path: string; readonly text: string; readonly edits: boolean } | null;
  /** The issue that it is about, by its name on the screen; `null` for none. */
  readonly issue: { readonly id: string; readonly title: string } | null;
  /** Where a plan is carried out; `null` before that is known. */
  readonly placed: {
    readonly changes: string | null;
    readonly branch: string | null;
    readonly on: string | null;
  } | null;
  /** The phase of the plan that is worked on. */
  readonly phase: string | null;
  /** What was said, asked and done, in order. */
  readonly turns: readonly Turn[];
  readonly answers: Answers;
  /** The question that waits; `null` when none does. */
  readonly open: Question | null;
  readonly document: string;
  /** The agent's own id of its session; `null` before it has one. */
  readonly session: string | null;
  readonly problems: readonly string[];
  readonly kept: { readonly path: string; readonly status: 'kept' | 'draft' } | null;
  /** Actions that the agent took unasked and was not allowed to take, since the person last accepted such a thing. */
  readonly overstepped: readonly string[];
  readonly made: readonly { readonly id: string; readonly title: string }[];
  readonly spent: { readonly input: number; readonly output: number; readonly cost: number | null };
  readonly ended: 'done' | 'left' | null;
  /** The reply that arrives now, which no entry holds yet; `null` while none does. */
  readonly growing: { readonly words: string; readonly document: string | null } | null;
}

export type Turn =
  | { readonly type: 'asked'; readonly text: string }
  | { readonly type: 'said'; readonly by: 'person' | 'agent' | 'program'; readonly text: string }
  | { readonly type: 'tool'; readonly id: string; readonly title: string; readonly status: string };

export const emptyTalk: Talk = {
  skill: '',
  argument: '',
  mode: 'form',
  agent: null,
  about: null,
  issue: null,
  placed: null,
  phase: null,
  turns: [],
  answers: {},
  open: null,
  document: '',
  session: null,
  problems: [],
  kept: null,
  overstepped: [],
  made: [],
  spent: { input: 0, output: 0, cost: null },
  ended: null,
  growing: null,
};

/** The conversation after one more entry. */
export const tell = (talk: Talk, entry: Entry): Talk => {
  switch (entry.type) {
    case 'started':
      return { ...talk, ...startOf(entry), ended: null };
    case 'about':
      return { ...talk, about: { path: entry.path, text: entry.text, edits: entry.edits } };
    case 'issue':
      return { ...talk, issue: entry.issue };
    case 'placed':
      return { ...talk, placed: { changes: entry.changes, branch: entry.branch, on: entry.on ?? null } };
    case 'phase':
      return { ...talk, phase: entry.name, session: null };
    case 'joined':
      return { ...talk, session: entry.session };
    case 'asked':
      return { ...talk, open: entry.question, ended: null };
    case 'answered':
      return answered(talk, entry.id, entry.answer);
    case 'said':
      return {
        ...talk,
        turns: [...talk.turns, { type: 'said', by: entry.by, text: entry.text }],
        ended: null,
      };
    case 'tool':
      return { ...talk, turns: withTool(talk.turns, entry) };
    case 'overstepped':
      return {
        ...talk,
        turns: [...talk.turns, { type: 'said', by: 'program', text: entry.text }],
        overstepped: [...talk.overstepped, entry.text],
      };
    case 'drafted':
      return { ...talk, document: entry.text, problems: entry.problems };
    case 'kept':
      return { ...talk, kept: { path: entry.path, status: entry.status } };
    case 'made':
      return { ...talk, made: [...talk.made, entry.issue] };
    case 'spent':
      return { ...talk, spent: sum(talk.spent, entry) };
    case 'ended':
      return { ...talk, ended: entry.why, open: entry.why === 'done' ? null : talk.open };
    default:
      return assertNever(entry);
  }
};

const startOf = ({ skill, argument, mode, agent }: Extract<Entry, { type: 'started' }>) => ({
  skill,
  argument,
  mode,
  agent,
});

const answered = (talk: Talk, id: string, answer: string): Talk => {
  const question = talk.open?.id === id ? talk.open : null;
  const labels = answer
    .split('\n')
    .map((each) => question?.options.find((option) => option.id === each)?.label ?? each)
    .join('\n');
  const turns: readonly Turn[] = [
    ...(question === null ? [] : [{ type: 'asked', text: question.text } as const]),
    { type: 'said', by: 'person', text: answer === '' ? '(skipped)' : labels },
  ];
  return {
    ...talk,
    answers: { ...talk.answers, [id]: answer },
    overstepped: isAcceptance(id, answer) ? [] : talk.overstepped,
    open: question === null ? talk.open : null,
    turns: [...talk.turns, ...turns],
  };
};

/** The id of the question whether the work is taken although the agent overstepped. */
export const acceptanceId = (talk: Talk): string => `overstepped-${talk.turns.length}`;

const isAcceptance = (id: string, answer: string): boolean =>
  id.startsWith('overstepped-') && answer === 'take';

const withTool = (turns: readonly Turn[], { id, title, status }: Extract<Entry, { type: 'tool' }>) => {
  const at = turns.findLastIndex((turn) => turn.type === 'tool' && turn.id === id);
  const next: Turn = { type: 'tool', id, title, status };
  return at < 0 ? [...turns, next] : turns.with(at, next);
};

const sum = (before: Talk['spent'], { input, output, cost }: Extract<Entry, { type: 'spent' }>) => ({
  input: before.input + input,
  output: before.output + output,
  cost: cost === null ? before.cost : (before.cost ?? 0) + cost,
});
