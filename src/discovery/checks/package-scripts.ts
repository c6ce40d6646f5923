import { fromJson, isRecord } from '../../base/json.ts';
import type { Command } from '../../tasks/task.ts';
import { type CheckFinder, type Step, type StepKind, step, type WorkspaceFacts } from './facts.ts';
import { type NodeManager, nodeManager } from './node-manager.ts';

const scriptNames: readonly (readonly [StepKind, readonly string[]])[] = [
  ['lint', ['lint']],
  ['typecheck', ['typecheck', 'type-check', 'check-types', 'tsc']],
  ['build', ['build']],
  ['test', ['test']],
];

/** Scripts of `package.json`, run by the project's package manager. */
export const packageScripts: CheckFinder = {
  name: 'package.json',
  find: (facts) => {
    const manifest = parse(facts.texts.get('package.json'));
    if (manifest === null) return [];
    const scripts = isRecord(manifest['scripts']) ? manifest['scripts'] : {};
    const manager = nodeManager(manifest, (file) => facts.names.has(file)).program;
    const steps = scriptNames.flatMap(([kind, names]): readonly Step[] => {
      const name = names.find((it) => isUseful(scripts[it]));
      // `CI` keeps runners such as vitest from waiting for changes.
      return name === undefined ? [] : [step(kind, manager, [manager, 'run', name], { CI: 'true' })];
    });
    const install = installOf(facts, manifest, manager);
    return steps.length === 0 || install === null ? steps : [install, ...steps];
  },
};

/** The script that `npm run NAME` starts, with its pre and post scripts. `null` for another command. */
export const scriptBehind = (facts: WorkspaceFacts, { cmd }: Pick<Command, 'cmd'>): string | null => {
  const [manager = '', verb, name = ''] = typeof cmd === 'string' ? [] : cmd;
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(manager)) return null;
  const names = verb === 'run' ? [`pre${name}`, name, `post${name}`] : installScripts;
  const manifest = parse(facts.texts.get('package.json'));
  const scripts = isRecord(manifest?.['scripts']) ? manifest['scripts'] : {};
  const texts = names.flatMap((each) => (typeof scripts[each] === 'string' ? [scripts[each]] : []));
  return texts.length === 0 ? null : texts.join(' && ');
};

const installScripts = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
];

const parse = (text: string | undefined): Readonly<Record<string, unknown>> | null => {
  // A broken manifest has no checks. The package manager reports what is wrong with it.
  const value = fromJson(text ?? '');
  return isRecord(value) ? value : null;
};

/** The placeholder test that `npm init` writes into a package is no test. */
const isUseful = (script: unknown): boolean =>
  typeof script === 'string' && script.trim() !== '' && !/no test specified/.test(script);

/** An install that changes no lock file. `null` if the packages are installed or none are required. */
const installOf = (
  facts: WorkspaceFacts,
  manifest: Readonly<Record<string, unknown>>,
  manager: NodeManager,
): Step | null => {
  if (facts.names.has('node_modules') || facts.names.has('.pnp.cjs')) return null;
  if (manager === 'pnpm' && facts.names.has('pnpm-lock.yaml'))
    return step('install', manager, ['pnpm', 'install', '--frozen-lockfile']);
  if (manager === 'yarn' && facts.names.has('yarn.lock')) {
    const modern = facts.names.has('.yarnrc.yml');
    return step('install', manager, ['yarn', 'install', modern ? '--immutable' : '--frozen-lockfile']);
  }
  if (manager === 'bun' && (facts.names.has('bun.lock') || facts.names.has('bun.lockb')))
    return step('install', manager, ['bun', 'install', '--frozen-lockfile']);
  const isLocked = facts.names.has('package-lock.json') || facts.names.has('npm-shrinkwrap.json');
  if (manager === 'npm' && isLocked) return step('install', manager, ['npm', 'ci']);
  const asks = ['dependencies', 'devDependencies'].some((key) => {
    const packages = manifest[key];
    return isRecord(packages) && Object.keys(packages).length > 0;
  });
  if (!asks) return null;
  return step(
    'install',
    manager,
    manager === 'npm' ? ['npm', 'install', '--no-package-lock'] : [manager, 'install'],
  );
};
