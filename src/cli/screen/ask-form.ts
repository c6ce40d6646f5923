import { openForm } from '../../../components/form/form-view.ts';
import type { FormSubject } from '../../session/form-subject.ts';
import type { Answers } from '../../session/forms/question.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import { askOnScreen } from './ask-on-screen.ts';

/**
 * Asks a form on a screen of its own. Returns what `save` makes of the answers, or `null` when the person left. When `save` throws, the screen and the
 * answers stay.
 */
export const askForm = <T>(
  cli: Cli,
  world: World,
  workspace: string,
  form: FormSubject,
  save: (answers: Answers) => T,
  given: Answers = {},
): Promise<T | null> =>
  askOnScreen(cli, world, workspace, openForm(form, given), (intent) =>
    intent.type === 'filled-in' ? save(intent.answers) : null,
  );
