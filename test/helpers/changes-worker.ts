import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { value, worldAt } from './changes.ts';

/**
 * A program that does tasks one after the other until it is killed; started by `kill.test.ts` with the scratch directory and a first number. Writes
 * a byte to stdout after each step.
 */
const [top = '', from = '1'] = process.argv.slice(2);
const step = async <T>(work: Promise<T>): Promise<T> => {
  const done = await work;
  writeSync(1, '.');
  return done;
};
const session = await step(worldAt(top).open({ copy: ['.env'] }));
for (let count = Number(from); ; count += 1) {
  const attempt = { task: `task-${count % 3}`, attempt: count };
  const { directory } = value(await step(session.prepare(attempt)));
  value(await step(session.snapshot(attempt, 'before')));
  writeFileSync(join(directory, `${count}.txt`), `${count}\n`);
  value(await step(session.snapshot(attempt, 'after')));
  value(await step(session.commit(attempt, 'task')));
  const merged = await step(session.merge(attempt));
  if (merged.kind !== 'merged') throw new Error(JSON.stringify(merged));
  if (count % 2 === 0) value(await step(session.undo({ ...attempt, dependants: [] })));
  value(await step(session.clean(attempt)));
}
