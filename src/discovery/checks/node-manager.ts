import { isRecord } from '../../base/json.ts';

export type NodeManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** The package manager of a Node project, and the file that says so. */
interface FoundManager {
  readonly program: NodeManager;
  readonly evidence: string;
}

/** By `packageManager`, then `engines`, then the lock file; npm comes with node. A lock that another manager left does not outvote the manifest. */
export const nodeManager = (
  manifest: Readonly<Record<string, unknown>>,
  has: (file: string) => boolean,
): FoundManager => {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(String(manifest['packageManager'] ?? ''))?.[1];
  const program = programs.find((each) => each === named) ?? engineOf(manifest['engines']);
  if (program !== undefined) return { program, evidence: 'package.json' };
  const lock = locks.find(([file]) => has(file));
  return lock === undefined
    ? { program: 'npm', evidence: 'package.json' }
    : { program: lock[1], evidence: lock[0] };
};

const programs: readonly NodeManager[] = ['pnpm', 'yarn', 'bun', 'npm'];

/** `engines.npm` beside another one is a minimum that comes with node. */
const engineOf = (engines: unknown): NodeManager | undefined =>
  isRecord(engines) ? programs.find((program) => engines[program] !== undefined) : undefined;

const locks: readonly (readonly [string, NodeManager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];
