import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../helpers/program.ts';
import { openTerminal } from '../helpers/terminal.ts';
import { onlySession, release, waitFor, workspaceWith } from '../helpers/workspace.ts';

const esc = '\u001b';
const clip = ']52;c;ZXZpbA==';

/** Text that wants to steer the terminal of whoever reads it (quality.md, Hostile input, Terminal). */
const hostile: Readonly<Record<string, string>> = {
  'OSC 52 ended by BEL': `${esc}${clip}\u0007`,
  'OSC 52 ended by ST': `${esc}${clip}${esc}\\`,
  'OSC 52 of C1 bytes': '\u009d52;c;ZXZpbA==\u009c',
  'OSC 52 without an end': `${esc}${clip}`,
  'a prompt forged by cursor movement': `${esc}[2J${esc}[HAllow rm -rf? ${esc}[7m[y]${esc}[0m`,
  'a title': `${esc}]0;owned\u0007`,
  'a device query that answers into the shell': `${esc}[6n${esc}[c${esc}P$q"p${esc}\\`,
  'right-to-left override and zero width': 'exe\u202etxt.\u200b\u2066hidden\u2069\ufeff',
  'a progress bar': '10%\r20%\r100%',
  backspaces: 'safe\b\b\b\bevil',
  'a huge line': `${'x'.repeat(200_000)}${esc}[5m`,
};

/** What Ink and the screen write: styles, cursor moves, erasing, modes, the keyboard protocol, the title; and a bell, which ends nothing that was not begun. */
const ours =
  /\u001b\[(?:[0-9;]*m|[0-9;]*[ABCDEFGHJK]|\?(?:25|1004|1049|2004|2026)[hl]|[<>=?]?[0-9;]*u|[0-9]* q|2[23];2t)|\u001b\]2;[^\u0000-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\)/g;
const live =
  /[\u0000-\u0006\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufeff]/;

const leftOf = (raw: string): string => {
  const left = raw.replaceAll(ours, '');
  const at = left.search(live);
  return at < 0 ? '' : JSON.stringify(left.slice(Math.max(0, at - 20), at + 40));
};

const plan = (text: string): { readonly yaml: string; readonly bytes: string } => ({
  bytes: text,
  yaml: `goal: ${JSON.stringify(`Goal ${text.slice(0, 300)}`)}
tasks:
  - id: evil
    title: ${JSON.stringify(`Title ${text.slice(0, 300)}`)}
    files: [evil.txt]
    run: ['cat bytes', '${waitFor('on')}', 'cat bytes > evil.txt; echo the end']
`,
});

test.each(Object.entries(hostile))(
  '%s in goal, title, message and output reaches no terminal: neither by the screen nor by a command that reads',
  async (_name, text) => {
    const { yaml, bytes } = plan(text);
    const workspace = workspaceWith({ 'plan.yaml': yaml, bytes: `${bytes}\n` });
    const screen = openTerminal(['run', '--plan', 'plan.yaml'], { cwd: workspace });
    onTestFinished(() => screen.kill('SIGKILL'));
    await screen.waitFor('waiting for on');
    const signal = `type: INFO\ntarget: ALL\nmessage: ${JSON.stringify(`Read ${text.slice(0, 3_000)}`)}\n...\n`;
    writeFileSync(join(onlySession(workspace), 'signals/inputs/signal.260215-101500Z.yaml'), signal);
    await screen.waitFor(/INFO/);
    release(workspace, 'on');
    await screen.waitFor(/Waiting for you|How it ended|Complete/);
    for (const args of [['signals'], ['status'], ['tasks'], ['log'], ['sessions']]) {
      const { stdout, stderr } = await runProgram(args, { cwd: workspace });
      expect(leftOf(stdout + stderr), args.join(' ')).toBe('');
    }
    expect(leftOf(screen.raw())).toBe('');
  },
);
