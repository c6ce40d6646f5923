import { createCrashSession, live, problemsAtTheEnd, problemsOnDisk } from './crash-session.ts';

/**
 * A whole session whose disk is full from some operation on: it stops and says so, every file is the old one or the new one, and with room again it
 * ends as if nothing had happened (test/README.md, Torture).
 */
export interface FullDiskResult {
  readonly stops: number;
  /** The disk was full and nothing had to be written before it was emptied. */
  readonly unnoticed: number;
  readonly problems: readonly string[];
}

export const fullDisk = async (options: {
  readonly stride: number;
  /** `journal`: only that file may not grow, so that everything else can still be written, and must not be. */
  readonly what: 'disk' | 'journal';
}): Promise<FullDiskResult> => {
  const { stride, what } = options;
  const calm = createCrashSession();
  await live(calm, 'begin');
  const problems: string[] = [];
  let stops = 0;
  let unnoticed = 0;
  for (let at = 1; at <= calm.session.disk.operations(); at += stride) {
    const full = createCrashSession();
    const { disk, paths } = full.session;
    const say = (problem: string): unknown => problems.push(`full from operation ${at}: ${problem}`);
    full.fillAt(at, what);
    let end = await live(full, 'begin');
    for (const problem of problemsOnDisk(full)) say(problem);
    for (const path of disk.tree('/').filter((each) => each.includes('.tmp-'))) say(`${path} is left over`);
    full.empty();
    if (end?.status === 'completed') unnoticed += 1;
    else {
      stops += 1;
      const reason = JSON.stringify(end);
      if (!/the disk is full; free some space/.test(reason)) say(`it ended with ${reason}`);
      // Without a first line in the journal there is no session; the next run makes another.
      if ((disk.lstat(paths.journal)?.size ?? 0) === 0) continue;
      full.session.kill();
      end = await live(full, 'resume');
    }
    if (end?.status === 'completed') for (const problem of problemsAtTheEnd(full)) say(problem);
    else say(`with room again it ended with ${JSON.stringify(end)}`);
  }
  return { stops, unnoticed, problems };
};
