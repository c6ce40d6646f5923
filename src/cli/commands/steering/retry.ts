import type { Subcommand } from '../../cli.ts';
import { aboutTask } from './about-task.ts';

/** `ralph-tui retry TASK [MESSAGE]`: opens a task again, with the message as feedback for the next attempt. */
export const retry: Subcommand = aboutTask('retry', 'RETRY');
