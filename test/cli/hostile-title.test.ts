import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { inBackground, summary } from '../../src/cli/report/summary.ts';
import { answerCommand } from '../../src/words/session-command.ts';
import { changesWorld, faultOf, personGit } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createRealSession } from '../helpers/real-session.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const template = templateOfFile();

/** A title, name or answer that would run a program in each way a shell knows. */
const hostile = `$(touch ran)\`touch ran\`;touch ran&'touch ran' "$(touch ran)"|x>ran\u001b]0;touch ran\u202e -rf`;

const seen = hostile.replace('\u001b]0;touch ran\u202e -rf', '');

/** Runs a line as it was pasted. Returns the words that each program got. */
const pasted = (line: string): readonly (readonly string[])[] => {
  const script = '#!/bin/sh\nprintf "%s\\0" "$(basename "$0")" "$@" >> "$SEEN"; printf "\\n" >> "$SEEN"\n';
  const bin = workspaceWith({ 'ralph-tui': script, git: script, gh: script });
  const here = tempDir();
  const shell = `cd() { printf '%s\\0' cd "$@" >> "$SEEN"; printf '\\n' >> "$SEEN"; }; ${line}`;
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, SEEN: join(bin, 'seen') };
  execFileSync('sh', ['-c', `chmod +x ${bin}/*`]);
  execFileSync('sh', ['-c', shell], { cwd: here, env });
  expect(readdirSync(here), line).toEqual([]);
  return execFileSync('cat', [join(bin, 'seen')], { encoding: 'utf8' })
    .split('\0\n')
    .filter((words) => words !== '')
    .map((words) => words.split('\0'));
};

test('no printed command runs what a title, a path, a branch or an answer says', async () => {
  const first = changesWorld(template);
  // A directory may have any name but for a slash; git takes less for a branch.
  const name = hostile.replaceAll('/', '');
  renameSync(first.repo, join(dirname(first.repo), name));
  const workspace = join(first.top, name);
  const plan = `goal: x\ntasks: [{id: one, title: One, run: [echo 1 > one.txt]}]\n`;
  const session = createRealSession(workspace, plan, {
    changes: first.changes,
    goal: hostile,
    settings: { isolation: 'worktree', changes: { at_end: 'pull-request' } },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  const end = await engine.settled();
  const state = engine.state();
  const branch = 'ralph/260215-101500';

  const { commands = [] } = session.all('changes.finished')[0] ?? {};
  expect(commands.map((line) => pasted(line)[0])).toEqual([
    ['git', 'push', '--set-upstream', 'origin', 'main'],
    ['git', 'push', '--set-upstream', 'origin', branch],
    ['gh', 'pr', 'create', '--base', 'main', '--head', branch, '--title', seen, '--fill-verbose'],
  ]);
  const request = { paths: session.paths, flags: { agent: hostile } } as const;
  const printed = [
    summary(request, { ...end, exitCode: 4 }, state, null),
    inBackground(session.paths, 1),
  ].join('\n');
  expect(printed).toContain(
    ', first add a remote, as this repository has none (`git remote add origin URL`), then\n',
  );
  for (const command of commands) expect(printed).toContain(`           ${command}`);
  const labelled = [...printed.matchAll(/^ {2}(?:continue|watch) +(.*)$/gm)].map(([, line = '']) => line);
  expect(labelled.map(pasted)).toEqual([
    [
      ['cd', expect.stringContaining('/$(touch ran)')],
      ['ralph-tui', 'resume', '260215-101500', '--agent', seen],
    ],
    [
      ['cd', expect.stringContaining('/$(touch ran)')],
      ['ralph-tui', 'attach', '260215-101500'],
    ],
  ]);

  const question = { request: 'q1', options: [{ id: hostile, label: '' }] };
  expect(pasted(answerCommand('260215-101500', question))).toEqual([
    ['ralph-tui', 'answer', 'q1', seen, '--session', '260215-101500'],
  ]);
  const odd = "$(touch,ran)';`touch,ran`&|x";
  personGit(workspace, 'branch', odd);
  const opened = await first.open({ workspace, session: '260215-101500' });
  const refused = await opened.finish({ how: 'merge', into: odd, message: 'M' });
  const hint = refused.ok ? '' : (refused.fault.hint ?? '');
  expect(faultOf(refused)).toContain('is checked out here, not');
  expect(pasted(/^run `(.*)`, then try again$/.exec(hint)?.[1] ?? '')).toEqual([['git', 'switch', odd]]);
});
