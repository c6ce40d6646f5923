import { launchedBy, needsLauncher } from './cli/launcher/needs-launcher.ts';

/**
 * The entry. Any installed Node parses this file, so it uses only old syntax and the static import of one file that imports nothing. An
 * old Node must still print the sentence with the needed version. Everything else is imported on demand, and Node's own modules by
 * `getBuiltinModule`: an import would also load all that their exports stand for (.rolldown.config.ts has the numbers).
 */
const neededMajor = 22;
const neededMinor = 12;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  process.stderr.write(
    `ralph-tui needs Node ${neededMajor}.${neededMinor} or newer, but this is Node ${process.versions.node}.\nInstall a newer version (\`nvm install ${neededMajor}\`, or https://nodejs.org), or run ralph-tui once with \`npx -p node@${neededMajor} ralph-tui\`.\n`,
  );
  process.exitCode = 1;
} else {
  const os = process.getBuiltinModule('node:os');
  // A user without HOME and a passwd entry, as in a container with its own uid, has no home directory.
  // `homedir` would throw and end even `--version`. Such a user gets a missing directory as home, like the
  // system's `nobody`.
  try {
    os.homedir();
  } catch {
    process.env['HOME'] = '/nonexistent';
  }
  // The second start reads compiled code from the cache. Without a writable directory Node skips the cache. The
  // cached code is executed, so its directory belongs to the person and is not the shared temporary one.
  const cache = ownCache();
  if (cache !== null) process.getBuiltinModule('node:module').enableCompileCache(cache);
  const isLaunched = process.env[launchedBy] === String(process.ppid);
  delete process.env[launchedBy];
  if (!isLaunched && needsLauncher(process.argv.slice(2), { hasScreen, platform: process.platform }))
    import('./cli/launcher/launch.ts').then((launcher) => launcher.launch(launchedBy));
  else
    import('./cli/program.ts').then((program) =>
      program.main(process.argv.slice(2), process, undefined, isLaunched),
    );
}

function hasScreen(): boolean {
  const tty = process.getBuiltinModule('node:tty');
  return tty.isatty(0) && tty.isatty(1) && process.env['TERM'] !== 'dumb';
}

function ownCache(): string | null {
  const fs = process.getBuiltinModule('node:fs');
  const os = process.getBuiltinModule('node:os');
  const path = process.getBuiltinModule('node:path');
  const { NODE_COMPILE_CACHE: chosen, XDG_CACHE_HOME: caches } = process.env;
  if (chosen) return chosen;
  // A missing home stays missing: root could make it, and others could not read it then.
  if (!caches && !fs.existsSync(os.homedir())) return null;
  const directory = path.join(caches || path.join(os.homedir(), '.cache'), 'ralph-tui');
  try {
    fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch {
    // Node detects a read-only home as well.
  }
  return directory;
}
