import fc from 'fast-check';
import type { Issue } from '../../src/issues/issue.ts';
import { type IssueState, issueStateSchema } from '../../src/issues/state.ts';

/** An issue in Backlog with nothing special, but for what the test says. */
export const issue = (id: string, more: Partial<Issue> = {}): Issue => ({
  id,
  title: `Issue ${id}`,
  body: '',
  state: 'Backlog',
  estimate: null,
  priority: null,
  labels: [],
  blockedBy: [],
  comments: [],
  revision: '1',
  ...more,
});

export const anyState: fc.Arbitrary<IssueState> = fc.constantFrom(...issueStateSchema.options);

/** Up to eight issues with any states, sizes, parents and blockers, cycles and unknown ids included. */
export const anyIssues: fc.Arbitrary<readonly Issue[]> = fc
  .uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 })
  .chain((numbers) =>
    fc.tuple(
      ...numbers.map((number) =>
        fc.record({
          id: fc.constant(String(number)),
          number: fc.constant(number),
          state: anyState,
          estimate: fc.constantFrom(null, 'S' as const, 'L' as const),
          parent: fc.option(fc.constantFrom(...numbers.map(String), 'gone'), { nil: undefined, freq: 3 }),
          blockedBy: fc.array(fc.constantFrom(...numbers.map(String), 'gone'), { maxLength: 2 }),
        }),
      ),
    ),
  )
  .map((parts) =>
    parts.map(({ id, parent, ...rest }) =>
      issue(id, { ...rest, ...(parent === undefined ? {} : { parent }) }),
    ),
  );
