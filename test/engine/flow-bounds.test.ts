import { expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { sizeOfPart } from '../../src/issues/issue.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { createFlowSession } from '../helpers/flow-session.ts';

const started = async (engine: Engine): Promise<Engine> => {
  expect(await engine.start()).toBeNull();
  return engine;
};

const splitInto = (parts: readonly { readonly title: string; readonly estimate: string }[]) => ({
  status: 'completed',
  result: { sub_tickets: parts.map((part) => ({ body: '', ...part })) },
});

test('a part is smaller than its whole, whatever was estimated', () => {
  expect(sizeOfPart('XL', 'XL')).toBe('L');
  expect(sizeOfPart('L', 'L')).toBe('M');
  expect(sizeOfPart('S', 'L')).toBe('S');
  expect(sizeOfPart(null, 'L')).toBeNull();
  expect(sizeOfPart(null, null)).toBe('XS');
  expect(sizeOfPart('XL', 'XS')).toBe('XS');
});

test('an agent that splits into parts as large as the whole comes to an end', async () => {
  let splits = 0;
  const session = createFlowSession({
    issues: { 1: 'state: backlog\nestimate: XL' },
    answers: ({ kind }) => {
      if (kind !== 'flow-split') return undefined;
      splits += 1;
      return splitInto([{ title: `Still big ${splits}`, estimate: 'XL' }]);
    },
  });
  expect(await session.settle(await started(session.begin()))).toMatchObject({ exitCode: 0 });
  expect(splits).toBe(3);
  expect((await session.issue('4')).estimate).toBe('S');
});

test('a split with which the group outgrows flow.max_group is left to a person, and no part is made', async () => {
  const session = createFlowSession({
    issues: { 1: 'state: backlog\nestimate: L' },
    settings: { flow: { ...defaultSettings.flow, max_group: 4 } },
    answers: ({ kind }) =>
      kind === 'flow-split'
        ? splitInto(['a', 'b', 'c', 'd'].map((title) => ({ title, estimate: 'S' })))
        : undefined,
  });
  expect(await session.settle(await started(session.begin()))).toMatchObject({
    status: 'awaiting_feedback',
    exitCode: 1,
  });
  const issue = await session.issue('1');
  expect(issue.state).toBe('Human Needed');
  expect(issue.comments.at(-1)?.body).toMatch(
    /^Human Needed: the split into 4 parts makes a group of 5 issues, but flow.max_group is 4; raise/,
  );
  const reading = await session.person.list();
  expect(reading.ok && reading.issues.length).toBe(1);
});
