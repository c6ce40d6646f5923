import { expect, test } from 'vitest';
import { continueLine } from '../../src/cli/report/summary.ts';
import type { EventBody } from '../../src/pipeline/event.ts';
import { limitHolder } from '../../src/pipeline/evolve/session.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { createStory } from '../helpers/story.ts';

const request = { paths: sessionPaths('/my work', '260215-101500'), flags: {} };
const lineAfter = (body: EventBody): string => {
  const story = createStory().begin().add(body);
  return continueLine(request, evolveAll(null, story.events));
};
const held = { type: 'hold.requested', signal: 'p1', by: 'kim', message: '' } as const;

test('the command that continues a session lifts the hold of a person, and of nobody else', () => {
  const plain = "  continue cd '/my work' && ralph-tui resume 260215-101500";
  expect(lineAfter(held)).toBe(`${plain} --lift`);
  expect(lineAfter({ ...held, signal: null, by: limitHolder })).toBe(plain);
  expect(continueLine(request, null)).toBe(plain);
  expect(continueLine({ ...request, flags: { agent: 'codex' } }, null)).toBe(`${plain} --agent codex`);
});
