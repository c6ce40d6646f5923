import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addHooks } from '../../src/cli/integrations/hook/settings-hooks.ts';
import { pluginId } from '../../src/cli/integrations/hook/twice.ts';
import { cleanEnvironment } from '../helpers/program.ts';
import { runInside } from '../helpers/run-inside.ts';
import { createShell } from '../helpers/shell.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { workspaceWith, writeIn } from '../helpers/workspace.ts';

const issue = { '.ralph/issues/1.md': '---\ntitle: One\nstate: backlog\n---\n' };
const line = 'native has 1 processable issue.\n';

const hooks = addHooks(null);
const ours = hooks.ok ? hooks.value : '';

const start = (cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runInside(['hook', 'SessionStart', ...args], {
    cwd,
    env: cleanEnvironment({ HOME: tempDir(), ...env }),
    input: JSON.stringify({ session_id: 'one', cwd, hook_event_name: 'SessionStart', source: 'startup' }),
  });

test('the hooks of the plugin work where no settings have them', async () => {
  const cwd = workspaceWith({
    ...issue,
    '.claude/settings.json': '{"hooks": {"Stop": []}} // ralph-tui hook',
  });
  expect(await start(cwd, ['--plugin'])).toEqual({ code: 0, stdout: line, stderr: '' });
});

test.each(['.claude/settings.json', '.claude/settings.local.json'])(
  'beside the hooks in %s those of the plugin do nothing, and say so at the start',
  async (file) => {
    const cwd = workspaceWith({ ...issue, [file]: ours });
    expect(await start(cwd, [])).toMatchObject({ stdout: line });
    const { stdout } = await start(cwd, ['--plugin']);
    expect(JSON.parse(stdout)).toEqual({
      systemMessage: expect.stringMatching(
        /^The hooks of ralph-tui in .*\.json do the work; those of its plugin do nothing\./,
      ),
    });
  },
);

test('a home of Claude Code elsewhere is looked into, and one event alone is not the others', async () => {
  const home = tempDir();
  writeIn(home, 'settings.json', ours.replaceAll('"SessionStart"', '"SessionEnd"'));
  const cwd = workspaceWith(issue);
  expect(await start(cwd, ['--plugin'], { CLAUDE_CONFIG_DIR: home })).toMatchObject({ stdout: line });
  writeIn(home, 'settings.json', ours);
  const { stdout } = await start(cwd, ['--plugin'], { CLAUDE_CONFIG_DIR: home });
  expect(JSON.parse(stdout).systemMessage).toContain(join(home, 'settings.json'));
});

test('init --hooks finds the plugin, wherever it was switched on, and writes nothing', async () => {
  const { cwd, run } = createShell();
  const home = tempDir();
  const env = { HOME: home };
  writeIn(home, '.claude/settings.json', `{"enabledPlugins": {"${pluginId}": true}}`);
  expect(await run(['init', '--hooks'], env)).toMatchObject({
    code: 0,
    out: `nothing was written: the plugin ${pluginId}, which ${home}/.claude/settings.json switches on, already brings these hooks`,
  });
  const { out } = await run(['init', '--hooks', '--json'], env);
  expect(JSON.parse(out)).toMatchObject({ written: false });
  writeIn(cwd, '.claude/settings.local.json', `{"enabledPlugins": {"${pluginId}": false,} /* not here */}`);
  expect((await run(['init', '--hooks'], env)).out).toBe(`written to ${cwd}/.claude/settings.json`);
});
