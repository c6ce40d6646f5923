import { printedCommand } from '../base/process/printed-command.ts';
import type { OpenQuestion } from '../pipeline/questions/open-questions.ts';

/** The shown session, if there is one, and the directory the screen was started in, if it is known. */
interface Shown {
  readonly session: { readonly session: string; readonly workspace: string } | null;
  readonly ui: { readonly cwd: string | null };
}

/**
 * A command of this program about the shown session, as it must be typed where the screen was started: with the session, because a newer one
 * would be meant, and with the workspace where it is another directory.
 */
export const commandHere = ({ session, ui }: Shown, words: string): string => {
  if (session === null) return `ralph-tui ${words}`;
  // The name of another machine's session is enough, and its workspace is not here.
  const directory = session.session.includes(':') ? '' : there({ session, ui });
  return `${directory}${sessionCommand(session.session, words)}`;
};

/** `cd … && ` when the session's commands must be typed in another directory than the screen's. */
export const there = ({ session, ui }: Shown): string =>
  session === null || ui.cwd === null || ui.cwd === session.workspace
    ? ''
    : `${printedCommand('cd', session.workspace)} && `;

/** The same for a command that is typed in the session's workspace. */
export const sessionCommand = (session: string, words: string): string =>
  `ralph-tui ${words} --session ${session}`;

/** The same as it can be typed anywhere. */
export const commandInWorkspace =
  ({ workspace, session }: { readonly workspace: string; readonly session: string }) =>
  (words: string): string =>
    `${printedCommand('cd', workspace)} && ${sessionCommand(session, words)}`;

/** The command that resumes a session. One that a person held would be held again without `--lift`. */
export const resumeCommand = (session: string, isHeld: boolean, flags: readonly string[] = []): string =>
  printedCommand('ralph-tui', 'resume', session, ...flags, ...(isHeld ? ['--lift'] : []));

/** The command that tries a task of an ended session again, and resumes it. */
export const againCommand = (session: string, task: string, resume: string): string =>
  `${printedCommand('ralph-tui', 'retry', task, '--session', session)} && ${resume}`;

/** What is known of a question that a command answers. */
type Asked = Pick<OpenQuestion, 'request' | 'options'>;

/** The command that answers a request: with its first option, or with words to replace. */
export const answerCommand = (session: string, asked: Asked): string =>
  sessionCommand(session, answerWords(asked));

/** The same as it is typed at the prompt of line mode, which knows its session. */
export const answerWords = ({ request, options: [option] }: Asked): string =>
  printedCommand('answer', request, option?.id ?? 'your answer');
