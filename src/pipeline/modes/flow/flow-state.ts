import { z } from 'zod';
import { holderSchema, issueSchema } from '../../../issues/issue.ts';
import { flowPhases } from '../../../issues/position/flow-phases.ts';
import { issueStateSchema } from '../../../issues/state.ts';
import type { FlowResult } from '../../../issues/task-list/flow-result.ts';
import { taskRoles } from '../../../issues/task-list/task-phase.ts';
import type { Worker } from '../../../issues/team/worker.ts';
import type { TaskId } from '../../../tasks/task.ts';

/** What a flow begins with (src/issues/README.md, How it sits in the pipeline). */
export const flowStartSchema = z.object({
  /** The issue that a person pointed at. */
  issue: z.string(),
  /** That issue alone, without its group. */
  only: z.boolean(),
  /** As the setting `flow.tracker` has it. */
  tracker: z.string(),
  /** Who reviews plans. */
  review: z.enum(['human', 'auto', 'skip']),
  auto_merge: z.boolean(),
  /** A draft shows the plan before the work begins, and how far it is. Absent: none does. */
  draft: z.boolean().optional(),
  /** How many phases are calls of a model; absent in older journals: all. */
  phases: z.enum(flowPhases).optional(),
  /** Who fills a free slot: a fresh agent (hero), or an idle worker (team). */
  fill: z.enum(['fresh', 'team']),
  /** Under whose name the engine takes locks. */
  holder: holderSchema,
  /** The person's branch when it began: its pull requests go against that one. `null` for none, absent in older journals. */
  on: z.string().nullable().optional(),
});
export type FlowStart = z.infer<typeof flowStartSchema>;

/** An issue as the journal keeps it: bodies and comments stay in the tracker. */
const readIssueSchema = issueSchema.omit({ body: true, comments: true });

/** One successful reading of the tracker: the group, and the issues that its edges name. */
export const flowReadingSchema = z.object({
  issues: z.array(readIssueSchema).readonly(),
  /** Issues with a plan document that counts. */
  planned: z.array(z.string()).readonly(),
  /** The files that research names, by issue. */
  files: z.record(z.string(), z.array(z.string()).readonly()).readonly(),
});
export type FlowReading = z.infer<typeof flowReadingSchema>;

/** A named worker and its role. */
export const workerSchema = z.object({ name: z.string(), role: z.enum(taskRoles) });

/** A worker that another program runs (`ralph-tui mcp --as ROLE`). */
export const foreignWorkerSchema = z.object({
  /** The program's name for itself. */
  program: z.string(),
  /** The process that serves it: with boot id and start time, so that a reused pid is another one. */
  process: z.object({
    boot: z.string(),
    pidNamespace: z.string(),
    pid: z.number().int().positive(),
    startTime: z.string(),
  }),
  /** SHA-256 of the key with which it comes back after its connection broke. */
  key: z.string(),
});
type ForeignWorker = z.infer<typeof foreignWorkerSchema>;

/** A change of an issue's state, by the engine. */
export const movedSchema = z.object({ issue: z.string(), from: issueStateSchema, to: issueStateSchema });
export type Moved = z.infer<typeof movedSchema>;

/** What becomes of a plan: the work begins, a new plan is written, or a person is needed. */
export const planVerdictSchema = z.enum(['approved', 'again', 'refused']);
export type PlanVerdict = z.infer<typeof planVerdictSchema>;

/** A plan as it was approved. The document in the workspace may change afterwards, and must not change the work. */
export const approvedPlanSchema = z.object({
  /** Relative to the workspace. */
  document: z.string(),
  /** Its text in the session, relative to that. */
  copy: z.string(),
  /** SHA-256 of the text. */
  hash: z.string(),
});
export type ApprovedPlan = z.infer<typeof approvedPlanSchema>;

/** Work on the tracker, on documents and on branches that the engine does: one step at a time, and a new start asks for it again. */
export const flowStepSchema = z.discriminatedUnion('kind', [
  /** Gives the locks of dead sessions back, and reads the group. */
  z.object({ kind: z.literal('read') }),
  /** Reads the group again while its tasks are worked on. A failed reading says nothing. */
  z.object({ kind: z.literal('poll') }),
  /** Takes the locks of the task's issues. */
  z.object({ kind: z.literal('lock'), task: z.string() }),
  /** Reads the task's issues right before `commit`, its merge, is on the branch of its stream. */
  z.object({ kind: z.literal('see-issues'), task: z.string(), commit: z.string() }),
  /** Keeps the task's result: document, comments, states, parts of an issue, pull request, merge. */
  z.object({ kind: z.literal('record'), task: z.string() }),
  /** Opens the draft of a pull request before its work is whole, or writes what is done by now. */
  z.object({ kind: z.literal('draft'), task: z.string() }),
  /** Moves the issues of a reviewed plan. */
  z.object({
    kind: z.literal('decide'),
    task: z.string(),
    verdict: planVerdictSchema,
    reason: z.string(),
    by: z.string(),
  }),
  /** Looks at the checks and reviews of a pull request. */
  z.object({ kind: z.literal('look'), task: z.string() }),
  /** Sends the issues of a pull request back to work, or to a person. */
  z.object({
    kind: z.literal('send-back'),
    task: z.string(),
    feedback: z.string(),
    escalates: z.boolean(),
  }),
  /** Gives back the locks of a task that was cancelled; or of one that failed for good, whose issues then need a person: `failed` says why. */
  z.object({ kind: z.literal('give-back'), task: z.string(), failed: z.string().optional() }),
]);
export type FlowStep = z.infer<typeof flowStepSchema>;

/** How a pull request stands. `pending`: its checks run, or the look failed. `none`: it has no checks. `commented`: nothing failed, but a member said something. */
export const watchedSchema = z.enum(['pending', 'passed', 'failed', 'none', 'commented', 'merged', 'closed']);
type Watched = z.infer<typeof watchedSchema>;

/** The draft of a pull request whose work is not whole yet. */
export const draftSchema = z.object({
  /** `nothing-yet`: its branch has nothing to show. `never`: the place has no drafts, or a person closed it. */
  shown: z.enum(['open', 'nothing-yet', 'never']),
  /** '' where none is open. */
  url: z.string(),
  /** The issues whose work is on its branch. */
  done: z.array(z.string()).readonly(),
  /** SHA-256 of the text that this program gave it; `null`: it has another one. */
  text: z.string().nullable(),
  /** The ids of what was said about it before. */
  said: z.array(z.string()).readonly().optional(),
});
type Draft = z.infer<typeof draftSchema>;

/** The holder of a task's issues: nobody; this session, by their locks; another session or a person, for a reason. */
type Hold =
  | { readonly by: 'none' }
  | { readonly by: 'us' }
  | { readonly by: 'others'; readonly reason: string };

/** How far the engine got with one task. */
export interface FlowWork {
  readonly hold: Hold;
  /** The result of the last completed attempt; `null` before there is one. */
  readonly result: FlowResult | null;
  /** The verdict on a plan, once the issues were moved. */
  readonly verdict: PlanVerdict | null;
  readonly approved: ApprovedPlan | null;
  /** The words of the person who gave it; `null` without any. */
  readonly words: { readonly text: string; readonly by: string } | null;
  /** The last look at its pull request; `null`: one is due. */
  readonly watched: {
    readonly state: Watched;
    readonly feedback: string;
    readonly head?: string;
    /** The ids of the comments in its feedback. */
    readonly comments?: readonly string[];
  } | null;
  /** The commit of its pull request whose checks passed in the last look. `twice`: and in the look before it, so that a check that GitHub lists late would have shown. */
  readonly passed: { readonly commit: string; readonly twice: boolean } | null;
  /** Why its pull request was sent back; `escalated`: to a person. */
  readonly sentBack: { readonly feedback: string; readonly escalated: boolean } | null;
  /** The draft that shows its work before that is whole. Absent: there was no reason for one yet. */
  readonly draft?: Omit<Draft, 'said'> | undefined;
  /** The merge before which its issues were read once more. Absent: none. */
  readonly seenFor?: string | undefined;
  /** How it left its issues to a person when it had failed for good. Absent: it did not, or it is being tried again. */
  readonly left?: readonly Moved[] | undefined;
}

export const noWork: FlowWork = {
  watched: null,
  passed: null,
  sentBack: null,
  hold: { by: 'none' },
  result: null,
  verdict: null,
  approved: null,
  words: null,
};

/** Why another session, or a person, has the issues of a task now; `null`: none has. */
export const lostReason = ({ hold }: FlowWork): string | null => (hold.by === 'others' ? hold.reason : null);

export const isLost = ({ hold }: FlowWork): boolean => hold.by === 'others';

export const isLocked = ({ hold }: FlowWork): boolean => hold.by === 'us';

export const isRecorded = ({ result }: FlowWork): boolean => result?.recorded === true;

/** A member of the team of a session (src/issues/README.md, Hero and team). */
export interface TeamMember extends Worker {
  /** When it joined, or last became free (ISO 8601). */
  readonly since: string;
  /** Why it is no member any more; `null` while it is one. */
  readonly left: string | null;
  /** Another program runs it; `null` for a worker of this session. */
  readonly foreign: Foreign | null;
}

interface Foreign extends ForeignWorker {
  /** Who let it in; `null` while it waits at the door and gets no task. */
  readonly admittedBy: string | null;
}

/** The owner of a task. `worker` is `null` for a fresh agent, which lives as long as the task. */
interface Claim {
  readonly worker: string | null;
  readonly since: string;
}

/** The part of the state that only mode `flow` has. */
export interface FlowState extends FlowStart {
  /** `null` before the first reading, and when another one is due. */
  readonly reading: FlowReading | null;
  readonly step: FlowStep | null;
  /** A person opened the task of `step` again while it was taken: nothing follows from it. */
  readonly overtaken: boolean;
  /** The tracker did not answer: how often the step was taken again, and whether it is to be now. `null`: it answers. */
  readonly away: { readonly tries: number; readonly due: boolean } | null;
  /** Why the last step could not be taken; the session stops with it. `null`: nothing stands in the way. */
  readonly refusal: string | null;
  /** A person has to look at what the refusal names. */
  readonly unseen: boolean;
  /** The tracker is to be read again. */
  readonly due: boolean;
  /** Issues that somebody deleted. */
  readonly gone: readonly string[];
  /** The list must be made again: an issue was split. */
  readonly again: boolean;
  readonly works: ReadonlyMap<TaskId, FlowWork>;
  /** The team, in the order of its forming; empty in hero. */
  readonly workers: ReadonlyMap<string, TeamMember>;
  /** What workers said with `send_message`: a healthy run has 0. */
  readonly messages: {
    readonly sent: number;
    readonly refused: number;
    /** Workers that were woken for the task they have. */
    readonly woken: readonly string[];
  };
  /** The owner of each task, also after the task is done. */
  readonly claims: ReadonlyMap<TaskId, Claim>;
  /** How often pull requests were sent back, by the task that opens them. */
  readonly rounds: ReadonlyMap<TaskId, number>;
  /** What pull requests were last sent back for, by the task that opens them. */
  readonly refused: ReadonlyMap<TaskId, Refused>;
  /** The comments on pull requests that were sent back or are older than this session's work, by the task that opens them. */
  readonly answered: ReadonlyMap<TaskId, readonly string[]>;
}

/** Why a pull request was sent back. */
export interface Refused {
  readonly feedback: string;
  /** The commit that was looked at; `null` when none was: a person took the work up again. */
  readonly head: string | null;
  /** Nothing had failed, but a member said something: perhaps there is nothing to change. */
  readonly isComment: boolean;
  /** Where it stands; '' where it is a document. */
  readonly url: string;
}

/** The timer of the next reading. */
export const pollTimerName = 'flow:poll';

/** The timer of the next try of a step. */
export const awayTimerName = 'flow:away';
