import { join } from 'node:path';
import { type Context, tryGit } from '../context.ts';
import { passOnAll } from '../git/own-objects.ts';

/**
 * Leaves all to the repository, and removes the directory. Where somebody collects garbage beside the session, the objects come as a pack: a `gc` that began
 * before knows nothing of it. `isLeft`: by a program that was killed, so that nothing is known of what happened since.
 */
export const leaveObjects = async (context: Context, isLeft = false): Promise<void> => {
  const { files, objects, repository } = context;
  if (objects === null || files.kind(objects.directory) !== 'directory') return;
  // What begins from now on writes into the repository.
  objects.isUsed = false;
  passOnAll(context);
  const isCollected = files.kind(join(repository.commonDir, 'gc.pid')) !== null;
  if (isLeft || isCollected || files.stamp(join(objects.of, 'pack')) !== objects.began) {
    const ids = [...objects.passed].flatMap(([part, { names }]) =>
      part === 'pack' ? [] : [...names].map((name) => `${part}${name}\n`),
    );
    const pack = ['pack-objects', '-q', '--window=0', '--non-empty', join(objects.of, 'pack', 'pack')];
    // A damaged one is left out with the others: they were passed on one by one.
    if (ids.length > 0)
      await tryGit(context, pack, {
        input: ids.join(''),
        objects: { directory: objects.of, also: objects.directory },
      });
  }
  await files.removeTree(objects.directory);
  objects.passed.clear();
};
