import { answerCommands } from './answer/commands.ts';
import { hereCommands } from './answer/here-commands.ts';
import { changesCommands } from './changes/commands.ts';
import { reviewCommands } from './changes/review-commands.ts';
import type { Command } from './command.ts';
import { steerCommands } from './compose/commands.ts';
import { signalCommands } from './compose/signal-commands.ts';
import { writeCommands } from './compose/write-commands.ts';
import { decideCommands } from './confirm/decide-commands.ts';
import { dialogKinds, dialogs } from './dialogs.ts';
import { endCommands } from './end/commands.ts';
import { formCommands } from './form/commands.ts';
import { copyCommands } from './frame/copy-commands.ts';
import { lookCommands } from './frame/look-commands.ts';
import { moveCommands } from './frame/move-commands.ts';
import { replayCommands } from './frame/replay-commands.ts';
import { helpCommands } from './help/commands.ts';
import { helpLength } from './help/help-rows.ts';
import { paletteCommands } from './help/palette-commands.ts';
import { paletteRowsOf } from './help/palette-rows.ts';
import { issueCommands } from './issues/commands.ts';
import { leaveCommands } from './leave/commands.ts';
import { permitCommands } from './permission/commands.ts';
import { loginCommands } from './permission/login-commands.ts';
import { planReviewCommands } from './plan/review-commands.ts';
import { searchCommands } from './search/commands.ts';
import { readCommands } from './search/read-commands.ts';
import { serveCommands } from './serve/commands.ts';
import { startCommands } from './start/commands.ts';
import { resumeCommands } from './start/resume-commands.ts';
import { talkCommands } from './talk/commands.ts';
import { skillCommands } from './talk/skill-commands.ts';
import { drawCommands } from './tasks/commands.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  ...steerCommands,
  ...signalCommands,
  ...decideCommands,
  ...hereCommands,
  ...answerCommands,
  ...permitCommands,
  ...formCommands,
  ...skillCommands,
  ...talkCommands,
  ...loginCommands,
  ...resumeCommands,
  ...startCommands,
  ...dialogKinds.flatMap((kind) => dialogs[kind].commands),
  ...serveCommands,
  ...endCommands,
  ...writeCommands,
  ...lookCommands,
  ...drawCommands,
  ...searchCommands,
  ...readCommands,
  ...changesCommands,
  ...reviewCommands,
  ...issueCommands,
  ...planReviewCommands,
  ...replayCommands,
  ...copyCommands,
  ...paletteCommands((view) => paletteRowsOf(commands, view)),
  ...helpCommands,
  ...moveCommands((view) => helpLength(commands, view)),
  ...leaveCommands,
];
