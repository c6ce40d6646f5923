import { expect, test } from 'vitest';
import { sendLatest } from '../../src/cli/serve/send-latest.ts';
import type { Sent } from '../../src/cli/serve/session-feed.ts';

test('a page that reads slowly gets the newest of each part, and no queue of all before', async () => {
  const sent: string[] = [];
  const taken: (() => void)[] = [];
  const send = sendLatest(({ event, html }) => {
    sent.push(`${event} ${html}`);
    return new Promise((resolve) => taken.push(resolve));
  });
  const tell = (event: Sent['event'], html: string): void => send({ event, html, seq: 1 });
  tell('head', '1');
  for (let number = 2; number <= 1_000; number += 1) tell('head', String(number));
  tell('tasks', 'all');
  expect(sent).toEqual(['head 1']);
  for (const wanted of ['head 1000', 'tasks all']) {
    taken.pop()?.();
    await expect.poll(() => sent.at(-1)).toBe(wanted);
  }
  taken.pop()?.();
  expect(sent).toHaveLength(3);
});
