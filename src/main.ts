import * as module from 'node:module';

/**
 * The entry. It is parsed by whatever Node the machine has, so it keeps to old syntax and to static imports of `node:` only: an old
 * Node must get as far as the sentence that says which one is needed. Everything else is imported on demand.
 */
const neededMajor = 22;
const neededMinor = 22;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  process.stderr.write(
    `ralph-tui needs Node ${neededMajor}.${neededMinor} or newer, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org\n`,
  );
  process.exitCode = 1;
} else {
  // The second start reads compiled code from the cache; where no directory can be written Node simply goes without.
  module.enableCompileCache();
  import('./cli/program.ts').then((program) => program.main());
}
