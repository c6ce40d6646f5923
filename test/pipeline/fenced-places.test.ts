import { expect, test } from 'vitest';
import { placesOf } from '../../src/pipeline/agents/placement.ts';
import { readSettings } from '../helpers/fence-settings.ts';

const review = {
  mode: 'TASK_REVIEW',
  task: {},
  backend: 'script',
  workedOn: ['jail'],
  wrote: ['jail'],
} as const;
const work = { mode: 'IMPLEMENT', task: {}, backend: 'script', workedOn: [], wrote: ['jail'] } as const;

test('what a fence wrote is checked in that fence', () => {
  expect(placesOf(readSettings({ executor: 'jail' }), review)).toEqual(['jail']);
  expect(placesOf(readSettings({ executor: 'jail', all: 'local' }), review)).toEqual(['jail']);
  expect(placesOf(readSettings({ executor: ['jail', 'local'] }), review)).toEqual(['jail']);
  const listed = { ...review, task: { on: ['jail', 'local'] } };
  expect(placesOf(readSettings({}), listed)).toEqual(['jail']);
});

test('or where the configuration places reviews in so many words', () => {
  expect(placesOf(readSettings({ executor: 'jail', reviewer: 'local' }), review)).toEqual(['local']);
  expect(placesOf(readSettings({ executor: 'jail', verify: 'local' }), review)).toEqual(['local']);
  expect(placesOf(readSettings({ executor: 'jail', reviewer: ['wide', 'local'] }), review)).toEqual([
    'wide',
    'local',
  ]);
});

test('a fence that reaches more, or of another kind, does not take its place', () => {
  expect(placesOf(readSettings({ executor: 'jail', all: 'wide' }), review)).toEqual(['jail']);
  expect(placesOf(readSettings({ executor: 'jail', all: 'box' }), review)).toEqual(['jail']);
  const wide = { ...review, workedOn: ['wide'], wrote: ['wide'] };
  expect(placesOf(readSettings({ executor: 'wide', all: 'jail' }), wide)).toEqual(['jail']);
  expect(placesOf(readSettings({}), { ...review, wrote: ['wide', 'jail'] })).toEqual(['jail']);
});

test('a task that meets merged work of a fence is done in it, unless it is placed itself', () => {
  expect(placesOf(readSettings({}), work)).toEqual(['jail']);
  expect(placesOf(readSettings({}), { ...work, task: { on: 'local' } })).toEqual(['local']);
  expect(placesOf(readSettings({ executor: 'local' }), work)).toEqual(['local']);
  expect(placesOf(readSettings({}), { ...work, wrote: [] })).toEqual(['local']);
});

test('a fence that nobody configures any more is not replaced by this machine', () => {
  expect(placesOf(readSettings({}), { ...review, wrote: ['gone'] })).toEqual(['gone']);
});

test("another machine's word is no proof: its work is checked here, or on a machine that did not do it", () => {
  const there = { ...review, workedOn: ['gpu'], wrote: ['gpu'] };
  expect(placesOf(readSettings({ all: 'gpu' }), there)).toEqual(['local']);
  expect(placesOf(readSettings({ all: 'gpu', reviewer: ['gpu', 'second'] }), there)).toEqual(['second']);
  // The same machine by another name.
  expect(placesOf(readSettings({ reviewer: 'same' }), there)).toEqual(['local']);
  expect(placesOf(readSettings({ all: 'gpu', verify: 'gpu' }), there)).toEqual(['gpu']);
  // A model that reviews proves nothing, wherever it works.
  expect(placesOf(readSettings({ all: 'gpu' }), { ...there, backend: 'claude' })).toEqual(['gpu']);
});
