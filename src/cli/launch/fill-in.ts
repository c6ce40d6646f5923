import { type FormSubject, formOf } from '../../session/form-subject.ts';
import type { Answers } from '../../session/forms/question.ts';
import { fillInLines } from '../ask-in-lines.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';

/** Asks a form on the screen or in lines. Returns what `save` makes of the answers, or `null` when the person left. */
export const fillIn = async <T>(
  cli: Cli,
  world: World,
  workspace: string,
  form: FormSubject,
  save: (answers: Answers) => T,
  { inLines = false, given = {} }: { readonly inLines?: boolean | undefined; readonly given?: Answers },
): Promise<T | null> => {
  if (!inLines && cli.hasScreen)
    return (await import('../screen/ask-form.ts')).askForm(cli, world, workspace, form, save, given);
  const answers = await fillInLines(cli, formOf(form), given);
  return answers === null ? null : save(answers);
};
