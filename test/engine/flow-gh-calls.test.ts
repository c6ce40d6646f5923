import { expect, test } from 'vitest';
import { createGhTracker } from '../../src/issues/trackers/gh.ts';
import { withOverlay } from '../../src/issues/trackers/overlay.ts';
import type { FlowStart } from '../../src/pipeline/modes/flow/flow-state.ts';
import { createFlowSession } from '../helpers/flow-session.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { scriptedGh } from '../helpers/scripted-gh.ts';
import { scriptedPorts } from '../helpers/scripted-programs.ts';

/** A flow over issues that the scripted `gh` has, and its calls without their texts: `issue view 1`. */
const played = async (titles: readonly string[], start: Partial<FlowStart> = {}) => {
  const gh = scriptedGh();
  const clock = createManualClock();
  const ports = { ...scriptedPorts({ gh: gh.run }), clock };
  const tracker = withOverlay(createGhTracker(ports), ports);
  for (const title of titles) await tracker.create({ title });
  // The labels are made once for a repository.
  for (const state of ['In Progress', 'In Review', 'Plan in Review', 'Plan in Progress'] as const)
    await tracker.update('1', { state }, null);
  await tracker.update('1', { state: 'Backlog' }, null);
  ports.calls.length = 0;
  const session = createFlowSession({
    issues: {},
    tracker: () => withOverlay(createGhTracker(ports), ports),
    start: { tracker: 'gh', phases: 'few', ...start },
    // An agent works for a while: nothing that was read before is fresh any more.
    answers: () => clock.advanceAsync(60_000).then(() => undefined),
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({ exitCode: 0 });
  return { gh, calls: ports.calls.map((call) => call.replace(/^gh (\S+(?: [a-z]+(?: \d+)?)?).*$/s, '$1')) };
};

/** A poll, which is one call. */
const poll = 'issue list';

test('an issue without rework takes few calls of gh: each step reads the issue once, and knows what its own change made of it', async () => {
  const { gh, calls } = await played(['one']);
  expect(gh.issues[0]?.labels).toEqual(['state:in-review']);
  const [view, edit, comment] = ['issue view 1', 'issue edit 1', 'issue comment 1'];
  const linked = [view, comment, edit];
  expect(calls.filter((call) => call !== poll)).toEqual([
    ...['--version', view, 'label list', edit],
    // The plan, its review, the pull request.
    ...[...linked, ...linked, ...linked],
  ]);
});
