import { cpSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { failure } from '../cli.ts';

/** Copies the sample project into a scratch workspace, which is kept for the person. */
export const prepareDemo = (): { readonly workspace: string; readonly plan: string } => {
  const workspace = copySample('demo', 'plan.yaml');
  return { workspace, plan: readFileSync(join(workspace, 'plan.yaml'), 'utf8') };
};

/** Copies the sample loop, whose focus file is `focus.md`. */
export const prepareDemoLoop = (): { readonly workspace: string; readonly focus: string } => ({
  workspace: copySample('demo-loop', 'focus.md'),
  focus: 'focus.md',
});

const copySample = (name: string, mainFile: string): string => {
  const source = findFixture(import.meta.dirname, name, mainFile);
  const workspace = mkdtempSync(join(tmpdir(), 'ralph-tui-demo-'));
  cpSync(source, workspace, { recursive: true });
  return workspace;
};

/** The package has the fixtures beside the bundle; in the sources they are some folders up. */
const findFixture = (from: string, name: string, mainFile: string): string => {
  const fixture = join(from, 'test/fixtures', name);
  if (existsSync(join(fixture, mainFile))) return fixture;
  if (dirname(from) === from)
    throw failure({
      code: 'demo-missing',
      what: 'the sample project is not beside the program',
      hint: 'install the package again',
    });
  return findFixture(dirname(from), name, mainFile);
};
