import { cpSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { failure } from './cli.ts';

/** Copies the sample project into a scratch workspace, which stays for the person to look at. */
export const prepareDemo = (): { readonly workspace: string; readonly plan: string } => {
  const source = findFixture(import.meta.dirname);
  const workspace = mkdtempSync(join(tmpdir(), 'ralph-tui-demo-'));
  cpSync(source, workspace, { recursive: true });
  return { workspace, plan: readFileSync(join(workspace, 'plan.yaml'), 'utf8') };
};

/** The package carries the fixture beside the bundle; from source it lies two folders up. */
const findFixture = (from: string): string => {
  const fixture = join(from, 'test/fixtures/demo');
  if (existsSync(join(fixture, 'plan.yaml'))) return fixture;
  if (dirname(from) === from)
    throw failure({
      code: 'demo-missing',
      what: 'the sample project is not beside the program',
      mend: 'install the package again',
    });
  return findFixture(dirname(from));
};
