import type { ChangesPorts } from '../../src/changes/context.ts';
import type { WorkFiles } from '../../src/changes/files/work-files.ts';
import type { Git, GitCall } from '../../src/changes/git.ts';

/** Thrown where the program dies: nothing in `src` may catch it. */
export class Died extends Error {}

/** Commands of git that only read: death after one leaves the same files as death before it. */
const reading =
  /^(?:cat-file|check-ignore|diff-tree|for-each-ref|ls-files|ls-tree|merge-base|rev-list|rev-parse|var|version)$/;

const onlyReads = ({ args }: GitCall): boolean => reading.test(args[0] ?? '');

/**
 * Ports of a program that dies after step `at` (from 1): the call has had its effect, its answer never arrives, and no later call runs. 0 never
 * dies. Every git process that may write, every question to such a one that stays, and every change of a file is a step. `after` sees each step
 * before anything follows it: what lies on the disk then is what a death there leaves.
 */
export const dyingPorts = (
  ports: ChangesPorts,
  at: number,
  after: (step: number) => void = () => {},
): ChangesPorts & { steps(): number } => {
  let steps = 0;
  const alive = (): void => {
    if (at > 0 && steps >= at) throw new Died();
  };
  const done = (): void => {
    steps += 1;
    after(steps);
    alive();
  };
  const { files, git } = ports;
  const dying =
    <T extends readonly unknown[], R>(call: (...args: T) => R) =>
    (...args: T): R => {
      alive();
      const result = call(...args);
      if (result instanceof Promise) return result.then(done, done).then(() => result) as R;
      done();
      return result;
    };
  const mortal =
    <T extends readonly unknown[], R>(call: (...args: T) => R) =>
    (...args: T): R => {
      alive();
      const result = call(...args);
      return result instanceof Promise ? (result.finally(alive) as R) : result;
    };
  const wrapped: WorkFiles = {
    ...files,
    makeDirectory: dying(files.makeDirectory),
    write: dying(files.write),
    writeScratch: dying(files.writeScratch),
    copy: dying(files.copy),
    // The same object any number of times.
    link: mortal(files.link),
    replace: dying(files.replace),
    unlink: dying(files.unlink),
    removeEmpty: dying(files.removeEmpty),
    removeTree: dying(files.removeTree),
    moveAside: dying(files.moveAside),
    removeBeside: dying(files.removeBeside),
  };
  const run: Record<'reads' | 'writes', Git['run']> = { reads: mortal(git.run), writes: dying(git.run) };
  const stay: Git['stay'] = (call) => {
    const staying = git.stay(call);
    return { ...staying, ask: (onlyReads(call) ? mortal : dying)(staying.ask) };
  };
  return {
    ...ports,
    steps: () => steps,
    files: wrapped,
    git: { ...git, run: (call) => run[onlyReads(call) ? 'reads' : 'writes'](call), stay },
  };
};
