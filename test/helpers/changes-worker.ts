import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { value, worldAt } from './changes.ts';

/** A program that does tasks one after the other until it is killed; started by `kill.test.ts` with the scratch directory and a first number. */
const [top = '', from = '1'] = process.argv.slice(2);
const session = await worldAt(top).open({ copy: ['.env'] });
for (let count = Number(from); ; count += 1) {
  const attempt = { task: `task-${count % 3}`, attempt: count };
  const { directory } = value(await session.prepare(attempt));
  value(await session.snapshot(attempt, 'before'));
  writeFileSync(join(directory, `${count}.txt`), `${count}\n`);
  value(await session.snapshot(attempt, 'after'));
  value(await session.commit(attempt, 'task'));
  const merged = await session.merge(attempt);
  if (merged.kind !== 'merged') throw new Error(JSON.stringify(merged));
  if (count % 2 === 0) value(await session.undo({ ...attempt, dependants: [] }));
  value(await session.clean(attempt));
}
