import { expect, test } from 'vitest';
import { topics } from '../../src/cli/report/topics/index.ts';
import { runProgram } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';

test.each(topics.map(({ name }) => name))(
  '`help %s` prints its page, whole lines and within 100 columns of prose',
  async (name) => {
    const { code, stdout } = await runProgram(['help', name], { cwd: tempDir() });
    expect(code).toBe(0);
    const texts = topics.find((topic) => topic.name === name)?.sections() ?? [];
    for (const section of texts) {
      if (section.kind === 'text') expect(stdout.replaceAll('\n', ' ')).toContain(section.text);
      if (section.kind === 'table')
        for (const row of section.rows) for (const cell of row) expect(stdout).toContain(cell);
    }
  },
);

test('`help COMMAND` says all that `COMMAND --help` says', async () => {
  const cwd = tempDir();
  for (const name of ['signal', 'runners', 'status']) {
    const [one, other] = await Promise.all([
      runProgram(['help', name], { cwd }),
      runProgram([name, '--help'], { cwd }),
    ]);
    expect(one.stdout).toBe(other.stdout);
  }
});

test('`help` lists the topics after the commands, names a command’s own help, and refuses what is neither with exit 2', async () => {
  const cwd = tempDir();
  const [all, one, none] = await Promise.all([
    runProgram(['help'], { cwd }),
    runProgram(['help', 'run'], { cwd }),
    runProgram(['help', 'nix'], { cwd }),
  ]);
  expect(all.stdout).toMatch(/resume +continue[\s\S]*Topics:\n {2}help agents/);
  expect(one.stdout).toMatch(/^Usage: ralph-tui run/);
  expect(none).toMatchObject({ code: 2 });
  expect(none.stderr).toMatch(/no topic or command "nix"; topics: agents, outside, conventions, keys/);
});
