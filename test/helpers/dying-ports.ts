import type { ChangesPorts } from '../../src/changes/context.ts';
import type { WorkFiles } from '../../src/changes/files/work-files.ts';
import type { Git } from '../../src/changes/git.ts';

/** Thrown where the program dies: nothing in `src` may catch it. */
export class Died extends Error {}

/**
 * Ports of a program that dies after step `at` (from 1): the call has had its effect, its answer never arrives, and no later call runs. 0 never
 * dies. Every git process, every question to one that stays, and every change of a file is a step.
 */
export const dyingPorts = (ports: ChangesPorts, at: number): ChangesPorts & { steps(): number } => {
  let steps = 0;
  const alive = (): void => {
    if (at > 0 && steps >= at) throw new Died();
  };
  const done = (): void => {
    steps += 1;
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
  const wrapped: WorkFiles = {
    ...files,
    makeDirectory: dying(files.makeDirectory),
    write: dying(files.write),
    writeScratch: dying(files.writeScratch),
    copy: dying(files.copy),
    replace: dying(files.replace),
    unlink: dying(files.unlink),
    removeEmpty: dying(files.removeEmpty),
    removeTree: dying(files.removeTree),
  };
  const stay: Git['stay'] = (call) => {
    const staying = git.stay(call);
    return { ...staying, ask: dying(staying.ask) };
  };
  return { ...ports, steps: () => steps, files: wrapped, git: { ...git, run: dying(git.run), stay } };
};
