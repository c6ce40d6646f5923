import { expect, test } from 'vitest';
import { cleanEnvironment } from '../helpers/program.ts';
import { runInside } from '../helpers/run-inside.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { writeIn } from '../helpers/workspace.ts';

/** Two runners, neither of which is asked for anything. */
const configured = () => {
  const home = tempDir();
  writeIn(
    home,
    'ralph-tui/config.yaml',
    'runners:\n  gpu: {ssh: gpu1, command: [mine]}\n  jail: {sandbox: bwrap, network: none}\n',
  );
  return { cwd: tempDir(), env: cleanEnvironment({ XDG_CONFIG_HOME: home }) };
};

test.for([
  [['runners', 'check'], "missing required argument 'name'; see `ralph-tui runners check --help`"],
  [['runners', 'install', 'gpu', 'more'], /^too many arguments.*; see `ralph-tui runners install --help`$/],
  [['runners', 'check', '--all'], "unknown option '--all'; see `ralph-tui runners check --help`"],
  [['runners', 'chekc'], 'unknown command "chekc"; did you mean `ralph-tui runners check`?'],
  [['runners', 'check', 'gpx'], 'unknown runner "gpx"; known: gpu, jail'],
  [['runners', 'check', 'local'], 'unknown runner "local"; known: gpu, jail'],
  [['runners', 'install', 'constructor'], 'unknown runner "constructor"; known: gpu, jail'],
  [['doctor', '--runner', ''], 'unknown runner ""; known: gpu, jail'],
  [['runners', 'install', 'jail'], 'runner jail is on this machine: there is nothing to install'],
  [
    ['runners', 'install', 'gpu'],
    'runners.gpu.command names the remote program, so a copy would not be used; remove `command:` from the configuration and install again',
  ],
] as const)('a wrong command about runners is one sentence with what to do: %j', async ([words, said]) => {
  const { code, stderr } = await runInside([...words], configured());
  expect(code).toBe(2);
  const sentences = stderr.trimEnd().split('\n');
  expect(sentences).toHaveLength(1);
  expect(sentences[0]?.replace('ralph-tui: ', '')).toEqual(
    typeof said === 'string' ? said : expect.stringMatching(said),
  );
});

test('without a runner the list names the help, which shows how one is written', async () => {
  const cwd = tempDir();
  const env = cleanEnvironment({ XDG_CONFIG_HOME: tempDir() });
  const { stdout } = await runInside(['runners'], { cwd, env });
  expect(stdout).toBe('No runners. `ralph-tui runners --help` shows how to configure one.\n');
  expect((await runInside(['runners', '--help'], { cwd, env })).stdout).toContain(
    'gpu: { ssh: ALIAS, slots: 2 }',
  );
});
