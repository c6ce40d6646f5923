import { expect, test } from 'vitest';
import { defaultSettings } from '../../src/session/settings.ts';
import { streamWords } from '../../src/words/stream-words.ts';
import { createFlowSession } from '../helpers/flow-session.ts';

test.for([
  [
    false,
    /^2: on ralph\/\S+, pull request thoughts\/shared\/reports\/\S+-GH-0002-\S+\.md; to take it: git merge --no-overwrite-ignore ralph\/\S+ && ralph-tui issues move 2 done$/,
  ],
  [true, /^2: merged from ralph\/\S+$/],
] as const)(
  'the end of a flow says of each stream where its work lies, merged: %s',
  async ([auto_merge, words]) => {
    const session = createFlowSession({
      issues: { 2: 'state: ready-for-plan' },
      start: { issue: '2', auto_merge },
      // Without a check of the person's nothing is merged unasked.
      settings: { loop: { ...defaultSettings.loop, verify: ['true'] } },
    });
    const engine = session.begin();
    expect(await engine.start()).toBeNull();
    expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
    const state = engine.state();
    if (state === null) throw new Error('the session never began');
    expect(streamWords(state)).toEqual([expect.stringMatching(words)]);
  },
);

test('the end says where no command checked the work', async () => {
  const session = createFlowSession({ issues: { 2: 'state: ready-for-plan' }, start: { issue: '2' } });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.settle(engine);
  const state = engine.state();
  expect(state === null ? [] : streamWords(state)).toEqual([
    expect.stringMatching(/\.md; no one reviewed it, and no command checked it; to take it: /),
  ]);
});
