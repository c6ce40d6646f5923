import type { Subcommand } from '../../cli.ts';
import { aboutTask } from './about-task.ts';

/** `ralph-tui cancel TASK [MESSAGE]`: stops one task and marks it cancelled; the session continues. */
export const cancel: Subcommand = aboutTask('cancel', 'CANCEL');
