import { type Issue, type IssueId, issueName } from '../issue.ts';
import { type FlowRole, type TaskPhase, taskPhases } from './task-phase.ts';

/** One task of the upfront list. Role and phase are explicit: nothing matches on words of a title. */
export interface FlowTask {
  /** Safe as a task id and as a file name: `plan-42`, `plan-42_stream`, `review-42_r2`. */
  readonly id: string;
  readonly phase: TaskPhase;
  readonly role: FlowRole;
  /** `Research GH-42`. */
  readonly subject: string;
  /** `Researching GH-42`. */
  readonly activeForm: string;
  /** The issues it covers, in their order. */
  readonly issues: readonly IssueId[];
  readonly blockedBy: readonly string[];
  /** For a task whose work is done by others: an edge to it means an edge to all of these. */
  readonly replaced_by: readonly string[];
  /** One for a group as a whole, one for a stream of it. */
  readonly span: 'issue' | 'group' | 'stream';
  /** Plan and review: 1, and one more for each rejection. */
  readonly round: number;
  /** A review that a person settles as well (`plan:<task>`). */
  readonly gate: 'human' | null;
  /** The first issue of the stream whose branch it works on. `null` for a task without a branch. */
  readonly stream: IssueId | null;
}

type Named = Pick<Issue, 'id' | 'number'>;

export interface TaskSubject {
  readonly phase: TaskPhase;
  readonly issues: readonly Named[];
  readonly span: FlowTask['span'];
  readonly round?: number;
  readonly blockedBy: readonly string[];
  readonly gate?: FlowTask['gate'];
  readonly stream?: FlowTask['stream'];
}

/** A task from what it is about. The same subject always gives the same id, so that a list built twice adds nothing. */
export const createFlowTask = (subject: TaskSubject): FlowTask => {
  const { phase, issues, span, round = 1, blockedBy, gate = null, stream = null } = subject;
  const [first] = issues;
  const { role, verb, activeVerb } = taskPhases[phase];
  const name = first === undefined ? '' : issueName(first);
  const whole = span === 'issue' || phase === 'implement' ? '' : `${span} `;
  const about = `${whole}${name}${round > 1 ? ` (round ${round})` : ''}`;
  return {
    id: flowTaskId(phase, first?.id ?? '', span, round),
    phase,
    role,
    subject: `${verb} ${about}`,
    activeForm: `${activeVerb} ${about}`,
    issues: issues.map(({ id }) => id),
    blockedBy,
    replaced_by: [],
    span,
    round,
    gate,
    stream,
  };
};

const flowTaskId = (phase: TaskPhase, issue: IssueId, span: FlowTask['span'], round: number): string =>
  `${phase}-${encoded(issue)}${span === 'issue' ? '' : `_${span}`}${round > 1 ? `_r${round}` : ''}`;

const longest = 36;

/** Two ids never get the same name: other characters become `_` and their code, which no suffix looks like. */
const encoded = (issue: IssueId): string => {
  const name = issue.replace(
    /[^A-Za-z0-9.-]/gu,
    (character) => `_${(character.codePointAt(0) ?? 0).toString(16)}`,
  );
  return name.length <= longest ? name : `${name.slice(0, longest - 10)}_x${checksum(issue)}`;
};

/** 32 bits of FNV-1a, as text. */
const checksum = (text: string): string => {
  let sum = 0x811c9dc5;
  for (const character of text) sum = Math.imul(sum ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return sum.toString(16).padStart(8, '0');
};
