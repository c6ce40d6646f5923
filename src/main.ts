import * as fs from 'node:fs';
import * as module from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';

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
  // A user without HOME and without a line in the passwd file, as in a container with a uid of its own, has no home: whoever asks for it is told of one
  // that is not there, as the system's `nobody` is, instead of an error that ends even `--version`.
  try {
    os.homedir();
  } catch {
    process.env['HOME'] = '/nonexistent';
  }
  // The second start reads compiled code from the cache; where no directory can be written Node simply goes without. It is code that will be run, so
  // it lies in a directory of the person's own, and not in the temporary one of everybody.
  module.enableCompileCache(ownCache());
  import('./cli/program.ts').then((program) => program.main());
}

function ownCache(): string {
  const { NODE_COMPILE_CACHE: chosen, XDG_CACHE_HOME: caches } = process.env;
  if (chosen) return chosen;
  const directory = path.join(caches || path.join(os.homedir(), '.cache'), 'ralph-tui');
  try {
    fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch {
    // A read-only home: Node finds that out as well.
  }
  return directory;
}
