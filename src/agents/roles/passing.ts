import type { z } from 'zod';
import { type CheckpointId, checkpointOf } from '../../signals/checkpoints.ts';
import { checkValue } from '../../tasks/schema-faults.ts';
import type { SteerTrace } from '../answers.ts';
import type { Message, RoleEnd, RolePort, TurnAsk, TurnResult } from '../port.ts';
import { decideSteer, type SteerSubject, steerAction } from '../steer-tree.ts';
import { joinMessages, summarize } from './messages.ts';

/** Why a procedure stops early. Each role turns it into its outcome. */
export interface Halt {
  readonly status: 'blocked' | 'paused';
  readonly blockers: readonly string[];
  readonly why: 'pause' | 'abort' | 'cancel' | 'escalate';
  /** The text of the STEER that redefined the task. */
  readonly escalation?: string;
}

/** The messages of an invocation so far, and its verdicts on them. */
export interface Notes {
  readonly messages: readonly Message[];
  readonly steers: readonly SteerTrace[];
}

type CheckpointResult =
  | {
      readonly kind: 'go';
      readonly notes: Notes;
      /** The strongest verdict on the messages of this checkpoint. */
      readonly verdict: 'restart' | 'adjust' | null;
      readonly arrived: readonly Message[];
    }
  | { readonly kind: 'halt'; readonly halt: Halt; readonly notes: Notes };

/**
 * Passes one checkpoint: asks the port and settles every STEER by the checkpoint × type matrix. Before any work, the decision tree runs here for
 * every backend. Inside a turn the backend decides, because it knows its work.
 */
export const passCheckpoint = async (
  port: RolePort,
  id: CheckpointId,
  notes: Notes,
  subject: SteerSubject,
): Promise<CheckpointResult> => {
  const directive = await port.checkpoint(id);
  if (directive.kind !== 'go') return { kind: 'halt', halt: haltOf(directive), notes };
  const steers: SteerTrace[] = [];
  for (const message of directive.messages) {
    if (message.kind !== 'STEER') continue;
    steers.push(settle(port, message, checkpointOf(id).reactions.STEER, subject));
  }
  const told: Notes = {
    messages: joinMessages(notes.messages, directive.messages),
    steers: [...notes.steers, ...steers],
  };
  const escalated = steers.find((trace) => trace.verdict === 'escalate');
  if (escalated && subject.task !== null)
    return { kind: 'halt', halt: escalationHalt(escalated.text), notes: told };
  const verdict = steers.some((trace) => trace.verdict === 'restart' || trace.verdict === 'escalate')
    ? 'restart'
    : steers.some((trace) => trace.verdict === 'adjust')
      ? 'adjust'
      : null;
  return { kind: 'go', notes: told, verdict, arrived: directive.messages };
};

/** The steer subject of roles that look at the whole session. An escalation finds nobody above them: they begin again with the message. */
export const noTask: SteerSubject = { task: null, changed: [], ran: [] };

const settle = (port: RolePort, message: Message, reaction: string, subject: SteerSubject): SteerTrace => {
  const decided =
    reaction === 'tree'
      ? decideSteer(message, subject)
      : { verdict: 'context' as const, evidence: 'at this point a STEER only adds to the context' };
  const trace: SteerTrace = {
    id: message.id,
    text: message.text,
    verdict: decided.verdict,
    evidence: decided.evidence,
    action: steerAction(decided.verdict, message.text),
  };
  emitSteer(port, trace);
  return trace;
};

/** The record that settles a STEER: `steer.decided`. */
export const emitSteer = (port: Pick<RolePort, 'emit'>, trace: SteerTrace): void =>
  port.emit({
    type: 'steer.decided',
    id: trace.id,
    verdict: trace.verdict,
    evidence: trace.evidence,
    action: trace.action,
  });

export const escalationHalt = (text: string): Halt => ({
  status: 'blocked',
  blockers: [`STEER scope change: ${summarize(text)}`],
  why: 'escalate',
  escalation: text,
});

/** The halt that a directive, or a stopped turn, demands. */
export const haltOf = (directive: {
  readonly kind: 'pause' | 'abort' | 'cancel';
  readonly reason?: string;
}): Halt => {
  switch (directive.kind) {
    case 'pause':
      return { status: 'paused', blockers: ['Paused by signal.'], why: 'pause' };
    case 'abort':
      return { status: 'blocked', blockers: ['Aborted by signal'], why: 'abort' };
    case 'cancel':
      return { status: 'blocked', blockers: [directive.reason ?? 'Cancelled'], why: 'cancel' };
  }
};

/** A turn's answer in the form for the procedure. */
export type Turn<T> =
  | { readonly kind: 'answer'; readonly answer: T }
  | { readonly kind: 'halt'; readonly halt: Halt; readonly continuation?: unknown }
  | { readonly kind: 'end'; readonly end: RoleEnd };

/** Performs one turn of the backend and checks its answer. An answer that breaks the contract becomes "ended without a result" with the raw text. */
export const takeTurn = async <T>(
  port: RolePort,
  ask: TurnAsk,
  boundary: CheckpointId | null,
  schema: z.ZodType<T>,
): Promise<Turn<T>> => {
  const result: TurnResult = await port.turn(ask, boundary);
  switch (result.kind) {
    case 'answered': {
      const parsed = schema.safeParse(result.answer);
      if (parsed.success) return { kind: 'answer', answer: parsed.data };
      const source = { file: ask.kind, line: null };
      const checked = checkValue(schema, result.answer, source, 'outcome');
      const wrong = checked.ok ? [] : checked.faults.map(({ what }) => what);
      return { kind: 'end', end: { kind: 'no-result', raw: rawOf(result.answer), wrong } };
    }
    case 'paused':
      return { kind: 'halt', halt: haltOf({ kind: 'pause' }), continuation: result.continuation };
    case 'stopped':
      return { kind: 'halt', halt: haltOf({ kind: result.why }) };
    case 'no-result':
      return { kind: 'end', end: result };
    case 'failed':
      return { kind: 'end', end: result };
  }
};

/** Reads the state from an earlier part of the same invocation. An unreadable continuation starts from the beginning. */
export const readContinuation = <T>(value: unknown, schema: z.ZodType<T>): T | null => {
  const parsed = schema.safeParse(value);
  return value !== undefined && parsed.success ? parsed.data : null;
};

/** The end of a procedure whose brief lacks what its mode needs. That is a mistake of the caller. */
export const briefFault = (port: RolePort, lacks: string): RoleEnd => ({
  kind: 'failed',
  fault: {
    code: 'brief-incomplete',
    what: `${port.brief.role} ${port.brief.mode} needs ${lacks}`,
    where: port.brief.invocation,
  },
});

const rawOf = (answer: unknown): string =>
  typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? String(answer));
