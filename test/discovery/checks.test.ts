import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { discover } from '../../src/discovery/checks/discover.ts';
import { readWorkspace } from '../../src/discovery/checks/read-workspace.ts';
import { formatPlan, parsePlan } from '../../src/tasks/plan-file.ts';
import { tempDir } from '../helpers/temp-dir.ts';

/** What a workspace with these files offers: `id: command ← blockers`. */
const offers = (files: Readonly<Record<string, string>>): readonly string[] | null => {
  const workspace = tempDir();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true });
    writeFileSync(join(workspace, name), text);
  }
  const plan = discover(readWorkspace(createDisk(), workspace));
  if (plan === null) return null;
  const again = parsePlan(formatPlan(plan), 'plan.yaml');
  if (!again.ok) throw new Error('what was found is no plan');
  const { line: _, ...value } = again.value;
  expect(value).toEqual(plan);
  // A criterion that no command shows reads "not checked" although this very command exited 0.
  for (const task of plan.tasks) expect(task.run.flatMap(({ shows }) => shows)).toEqual(task.criteria);
  return plan.tasks.map(
    (task) => `${task.id}: ${[task.run[0]?.cmd].flat().join(' ')} ← ${task.blockedBy.join(', ')}`,
  );
};

const scripts = (names: readonly string[], more: object = {}): string =>
  JSON.stringify({ scripts: Object.fromEntries(names.map((name) => [name, `run-${name}`])), ...more });

describe('what a repository offers to check', () => {
  it('is its package scripts: install, then lint, types and build, then the tests', () => {
    expect(
      offers({
        'package.json': scripts(['test', 'lint', 'build', 'typecheck', 'dev']),
        'package-lock.json': '{}',
      }),
    ).toEqual([
      'npm-install: npm ci ← ',
      'npm-lint: npm run lint ← npm-install',
      'npm-typecheck: npm run typecheck ← npm-install',
      'npm-build: npm run build ← npm-install',
      'npm-test: npm run test ← npm-build',
    ]);
  });

  it.each([
    [
      'pnpm-lock.yaml',
      ['pnpm-install: pnpm install --frozen-lockfile ← ', 'pnpm-test: pnpm run test ← pnpm-install'],
    ],
    [
      'yarn.lock',
      ['yarn-install: yarn install --frozen-lockfile ← ', 'yarn-test: yarn run test ← yarn-install'],
    ],
  ])('uses the package manager of %s', (lock, expected) => {
    expect(offers({ 'package.json': scripts(['test']), [lock]: '' })).toEqual(expected);
  });

  it('installs only what is locked or asked for, and not what is there', () => {
    expect(offers({ 'package.json': scripts(['test']) })).toEqual(['npm-test: npm run test ← ']);
    expect(
      offers({ 'package.json': scripts(['test']), 'package-lock.json': '{}', 'node_modules/x': '' }),
    ).toEqual(['npm-test: npm run test ← ']);
    expect(offers({ 'package.json': scripts(['test'], { devDependencies: { a: '1' } }) })?.[0]).toBe(
      'npm-install: npm install --no-package-lock ← ',
    );
  });

  it('is nothing where only the placeholder of npm init, an install or a broken manifest stands', () => {
    expect(
      offers({
        'package.json': '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}',
        'package-lock.json': '{}',
      }),
    ).toBe(null);
    expect(offers({ 'package.json': '{"scripts": ' })).toBe(null);
    expect(offers({ 'package.json': '[]', 'README.md': '' })).toBe(null);
    expect(offers({})).toBe(null);
  });

  it('is what cargo, go and pytest do, in each with its own lock', () => {
    expect(offers({ 'Cargo.toml': '[package]\n[lints]\n', 'Cargo.lock': '' })).toEqual([
      'cargo-install: cargo fetch --locked ← ',
      'cargo-lint: cargo clippy --locked --all-targets ← cargo-install',
      'cargo-build: cargo build --locked ← cargo-install',
      'cargo-test: cargo test --locked ← cargo-build',
    ]);
    expect(offers({ 'go.mod': 'module x' })).toEqual([
      'go-lint: go vet ./... ← ',
      'go-build: go build ./... ← ',
      'go-test: go test ./... ← go-build',
    ]);
    expect(offers({ 'pyproject.toml': '[tool.pytest.ini_options]\n[tool.ruff]\n', 'uv.lock': '' })).toEqual([
      'python-install: uv sync --locked ← ',
      'python-lint: uv run ruff check . ← python-install',
      'python-test: uv run pytest ← python-install',
    ]);
    expect(offers({ 'requirements.txt': 'pytest==8\n' })).toEqual(['python-test: python3 -m pytest ← ']);
    expect(offers({ 'requirements.txt': 'requests\n' })).toBe(null);
  });

  it('is of a Makefile only what no other tool offers, and never its install', () => {
    const makefile =
      'CC := gcc\n.PHONY: all\nall build: x\n\tcc\ninstall:\n\tcp x /usr\ntest: build\n\t./x\nlint:: \n\ttrue\n';
    expect(offers({ Makefile: makefile })).toEqual([
      'make-lint: make lint ← ',
      'make-build: make build ← ',
      'make-test: make test ← make-build',
    ]);
    expect(offers({ Makefile: makefile, 'package.json': scripts(['build', 'test']) })).toEqual([
      'npm-build: npm run build ← ',
      'npm-test: npm run test ← npm-build',
      'make-lint: make lint ← ',
    ]);
  });

  it('is two tools side by side in a repository of two languages', () => {
    expect(offers({ 'package.json': scripts(['test']), 'go.mod': 'module x' })).toEqual([
      'npm-test: npm run test ← ',
      'go-lint: go vet ./... ← ',
      'go-build: go build ./... ← ',
      'go-test: go test ./... ← go-build',
    ]);
  });
});
