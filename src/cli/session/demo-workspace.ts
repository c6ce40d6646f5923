import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Git } from '../../changes/git.ts';
import { failure } from '../cli.ts';

/** A scratch workspace, which is kept for the person. */
interface Sample {
  readonly workspace: string;
  /** Commits the sample there, or returns why that failed. The session may be drawn before. */
  readonly prepared: () => Promise<string | null>;
}

/** Copies the sample project into a scratch workspace. With an agent of the person's, that one does the work instead of the sample's. */
export const prepareDemo = (git: Pick<Git, 'run'>, agent?: string): Sample & { readonly plan: string } => {
  const sample = copySample(git, 'demo', 'plan.yaml');
  const file = join(sample.workspace, 'plan.yaml');
  const plan = readFileSync(file, 'utf8');
  if (agent === undefined) return { ...sample, plan };
  const own = plan.replaceAll(/^ +agent: sample\n/gm, '');
  writeFileSync(file, own);
  return { ...sample, plan: own };
};

/** The permissions of the sample agent: it edits, and asks before it runs something. */
export const demoPermissions = 'edits';

/** The last words of a demo: where it was, and what comes next. */
export const demoEnd = (workspace: string): string =>
  `The sample project is in ${workspace}\nNow yours: \`cd your-repository && ralph-tui\``;

/** Copies the sample loop, whose focus file is `focus.md`. */
export const prepareDemoLoop = (git: Pick<Git, 'run'>): Sample & { readonly focus: string } => ({
  ...copySample(git, 'demo-loop', 'focus.md'),
  focus: 'focus.md',
});

/** Copies the sample of three issues; the first one is the parent of the others. */
export const prepareDemoHero = (git: Pick<Git, 'run'>): Sample & { readonly issue: string } => {
  const { workspace, prepared } = copySample(git, 'demo-hero', 'package.json');
  return {
    workspace,
    issue: '1',
    // Issues are worked on in worktrees: without a commit there is no demo.
    prepared: async () => {
      const why = await prepared();
      if (why !== null)
        throw failure({ code: 'demo-not-committed', what: `the sample could not be committed: ${why}` });
      return null;
    },
  };
};

/** Copies the sample of one issue with the agent of the conversation, which the configuration there names: later commands find it, too. */
export const prepareDemoSkill = (git: Pick<Git, 'run'>): Sample & { readonly issue: string } => {
  const sample = copySample(git, 'demo-skill', 'package.json');
  const agent = {
    type: 'acp',
    label: 'Sample agent',
    command: [process.execPath, join(sample.workspace, 'tools/agent.mjs')],
  };
  const config = { agents: { sample: agent }, roles: { executor: 'sample' } };
  writeFileSync(join(sample.workspace, '.ralph/config.yaml'), `${JSON.stringify(config, null, 2)}\n`);
  return { ...sample, issue: '1' };
};

const copySample = (git: Pick<Git, 'run'>, name: string, mainFile: string): Sample => {
  const source = findSample(import.meta.dirname, name, mainFile);
  const workspace = mkdtempSync(join(tmpdir(), 'ralph-tui-demo-'));
  cpSync(source, workspace, { recursive: true });
  return { workspace, prepared: () => commitSample(git, workspace, readdirSync(source)) };
};

/** Commits the sample, so that Changes has something to compare with. Where git is missing or fails, the demo runs without. */
const commitSample = async (
  git: Pick<Git, 'run'>,
  workspace: string,
  files: readonly string[],
): Promise<string | null> => {
  const identity = { name: 'ralph-tui demo', email: 'demo@ralph-tui.invalid' };
  for (const args of [
    ['init', '--quiet'],
    // Commits of a session there are the sample's, too, and nobody is asked for a name.
    ['config', '--file', '.git/config', 'user.name', identity.name],
    ['config', '--file', '.git/config', 'user.email', identity.email],
    // Not all: the session may have a directory there already.
    ['add', '--', ...files],
    ['commit', '--quiet', '--message', 'The sample project'],
  ]) {
    const { code, error } = await git.run({
      args,
      cwd: workspace,
      identity,
      config: ['init.defaultBranch=main'],
    });
    if (code !== 0) return error;
  }
  return null;
};

/** The package has the samples beside the bundle; in the sources they are some folders up. */
const findSample = (from: string, name: string, mainFile: string): string => {
  const sample = join(from, 'src/samples', name);
  if (existsSync(join(sample, mainFile))) return sample;
  if (dirname(from) === from)
    throw failure({
      code: 'demo-missing',
      what: 'the sample project is missing from this installation',
      hint: 'reinstall the package',
    });
  return findSample(dirname(from), name, mainFile);
};
