import { pathGlob } from '../../base/glob.ts';
import type { DiscoveryPorts, ScanPlace } from '../ports.ts';
import type { Finding } from '../records/finding.ts';
import type { Rule, RuleContext, SourceFile, Tree } from '../rule.ts';
import { fileRole } from './file-role.ts';
import { createPause } from './pause.ts';
import { createProjectFiles } from './project-files.ts';
import { type RepositoryFacts, readRepository } from './repository-facts.ts';
import { createRuleRun } from './rule-run.ts';
import { walk } from './walk.ts';

/** The scanner's findings, and how much of the tree it read. */
export interface TreeScan {
  readonly findings: readonly Finding[];
  /** The number of findings only in documentation, fixtures or generated files. `findings` includes them only on request. */
  readonly quiet: number;
  readonly repository: Omit<RepositoryFacts, 'tracked' | 'hooksPath'>;
  readonly skippedFiles: { readonly count: number; readonly first: readonly string[] };
  readonly error: string | null;
}

export interface TreeScanOptions extends RuleContext {
  /** Also gives findings only in documentation, fixtures and generated files. */
  readonly allRoles: boolean;
  /** Globs of files to skip (`discovery.exclude`). */
  readonly exclude: readonly string[];
}

/** Runs the deterministic scanner over the whole tree (src/discovery/README.md, Scanner). Works in slices and yields between them. */
export const scanTree = async (
  ports: DiscoveryPorts,
  place: ScanPlace,
  options: TreeScanOptions,
  rules: readonly Rule[],
): Promise<TreeScan> => {
  const pause = createPause(ports.clock, place.signal);
  const asked = readRepository(ports, place);
  const tracked = await asked.tracked;
  const walked = tracked === null ? await walk(ports.disk, place.projectDir, pause) : null;
  const excluded = options.exclude.map(pathGlob);
  const paths = (tracked ?? walked?.paths ?? []).filter((path) => !excluded.some((glob) => glob.test(path)));
  const files = createProjectFiles(ports.disk, place.projectDir);
  const run = createRuleRun();
  const perFile = rules.filter((rule) => rule.file !== undefined);
  for (const path of paths) {
    await pause();
    const text = files.read(path);
    if (text === null) continue;
    const file = sourceFile(path, text);
    for (const rule of perFile) run.collect(rule.name, path, () => rule.file?.(file, options) ?? []);
  }
  const skippedFiles = files.skipped();
  const repository = await asked.facts;
  const tree: Tree = {
    paths,
    isRepository: tracked !== null,
    read: files.read,
    hooksPath: repository.hooksPath,
  };
  for (const rule of rules) {
    await pause();
    run.collect(rule.name, null, () => rule.tree?.(tree, options) ?? []);
  }
  const { findings, quiet } = run.findings(repository.prefix, options.allRoles);
  const limit = walked?.whole === false ? 'the directory contains more files than are scanned' : null;
  return {
    findings: [...run.failures(), ...findings],
    quiet,
    repository,
    skippedFiles,
    error: repository.problem ?? limit ?? run.limit(),
  };
};

/** Most files hold nothing to report, so that nobody asks for their role. */
const sourceFile = (path: string, text: string): SourceFile => ({
  path,
  text,
  get role() {
    return fileRole(path);
  },
});
