import { expect, test } from 'vitest';
import { createFlowSession } from '../helpers/flow-session.ts';

test('a program whose session another one took over writes nothing more into the tracker, though its step is under way', async () => {
  const posted: string[] = [];
  let takenOver = false;
  const session = createFlowSession({
    issues: { 1: 'state: research-needed' },
    tracker: (tracker) => ({
      ...tracker,
      show: async (id) => {
        const shown = await tracker.show(id);
        if (takenOver || !session.disk.tree('/work').some((path) => path.includes('thoughts/'))) return shown;
        // The old program has read the issue, and the new one does the same step before it goes on.
        takenOver = true;
        session.elsewhere();
        const second = session.resume(true);
        expect(await second.start()).toBeNull();
        while (posted.length === 0) await new Promise<void>((go) => void session.clock.after(100, go));
        return shown;
      },
      comment: (id, body) => {
        posted.push(body.split('\n')[0] ?? '');
        return tracker.comment(id, body);
      },
    }),
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.clock.advanceAsync(60_000);
  expect(takenOver).toBe(true);
  expect(posted).toEqual([...new Set(posted)]);
});
