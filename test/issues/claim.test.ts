import { describe, expect, test } from 'vitest';
import { answerClaim, type Claimable, nextTask } from '../../src/issues/team/claim.ts';
import { gateState, stopGate } from '../../src/issues/team/stop-gate.ts';
import { missingWorkers, type Worker } from '../../src/issues/team/worker.ts';

const builder: Worker = { name: 'builder-1', role: 'builder' };
const other: Worker = { name: 'builder-2', role: 'builder' };
const analyst: Worker = { name: 'analyst-1', role: 'analyst' };
const members = [builder, other, analyst];

const task = (id: string, patch: Partial<Claimable> = {}): Claimable => ({
  id,
  role: 'builder',
  owner: null,
  standing: 'pending',
  blockedBy: [],
  ...patch,
});

describe('a claim', () => {
  const claim = (list: readonly Claimable[], id = 'a', worker = builder.name) =>
    answerClaim(list, members, { task: id, worker });

  test('is won by one worker, and each other one hears who has it', () => {
    expect(claim([task('a')])).toEqual({ kind: 'claimed' });
    expect(claim([task('a', { owner: 'builder-2' })])).toEqual({ kind: 'taken_by', worker: 'builder-2' });
    expect(claim([task('a', { owner: 'builder-1' })])).toEqual({ kind: 'yours' });
  });

  test('is refused with the blockers that are left', () => {
    expect(claim([task('a', { blockedBy: ['x', 'y'] })])).toEqual({ kind: 'blocked_by', tasks: ['x', 'y'] });
  });

  test('is refused to the wrong role, to a busy worker, to a foreign one, and for a settled or unknown task', () => {
    expect(claim([task('a')], 'a', 'analyst-1')).toEqual({ kind: 'wrong_role', role: 'builder' });
    expect(claim([task('a'), task('b', { owner: 'builder-1' })])).toEqual({ kind: 'busy', task: 'b' });
    expect(claim([task('a')], 'a', 'builder-9')).toEqual({ kind: 'foreign' });
    expect(claim([task('a', { standing: 'completed' })])).toEqual({ kind: 'settled', standing: 'completed' });
    expect(claim([task('a')], 'z')).toEqual({ kind: 'unknown-task' });
  });
});

describe('the next task of a worker', () => {
  test('is its own one first, and only its role counts, whatever the title says', () => {
    const plan = task('Research GH-1: Plan the review', { role: 'analyst' });
    expect(nextTask([plan, task('a')], builder)?.id).toBe('a');
    expect(nextTask([plan], builder)).toBeNull();
    expect(nextTask([plan], { name: 'validator-1', role: 'validator' })).toBeNull();
    expect(nextTask([plan], analyst)?.id).toBe('Research GH-1: Plan the review');
    expect(nextTask([task('a'), task('b', { owner: 'builder-1' })], builder)?.id).toBe('b');
  });
});

describe('the stop gate', () => {
  test('refuses in the middle of a task', () => {
    const list = [task('a', { owner: 'builder-1', standing: 'in_progress' })];
    expect(stopGate(list, builder, null)).toEqual({ kind: 'unfinished', task: 'a' });
  });

  test('gives the next task of the role, once for the same state', () => {
    const list = [task('a')];
    expect(stopGate(list, builder, null)).toEqual({ kind: 'next', task: 'a' });
    expect(stopGate(list, builder, gateState(list, builder))).toEqual({ kind: 'repeated', task: 'a' });
    expect(stopGate([...list, task('b')], builder, gateState(list, builder)).kind).toBe('next');
  });

  test('lets a worker idle whose tasks are blocked, or for other roles, or taken', () => {
    expect(stopGate([task('a', { blockedBy: ['x'] })], builder, null)).toEqual({
      kind: 'idle',
      why: 'blocked',
      tasks: ['a'],
    });
    expect(stopGate([task('a', { role: 'analyst' })], builder, null)).toEqual({
      kind: 'idle',
      why: 'other-roles',
    });
    expect(stopGate([task('a', { owner: 'builder-2' })], builder, null)).toEqual({
      kind: 'idle',
      why: 'other-roles',
    });
  });

  test('lets a worker go when the list is done', () => {
    expect(stopGate([task('a', { standing: 'completed' })], builder, null)).toEqual({ kind: 'shutdown' });
  });
});

test('only roles with work get workers, and a name is given once', () => {
  const roster = { analyst: 2, builder: 2, validator: 1, integrator: 1 };
  const names = (existing: readonly Worker[], ...roles: readonly string[]): readonly string[] =>
    missingWorkers(roster, existing, (role) => roles.includes(role)).map(({ name }) => name);
  expect(names([], 'analyst', 'builder')).toEqual(['analyst-1', 'analyst-2', 'builder-1', 'builder-2']);
  expect(names([builder], 'builder')).toEqual(['builder-2']);
  expect(names([other], 'builder')).toEqual(['builder-1']);
  expect(names([])).toEqual([]);
});
