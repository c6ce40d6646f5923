import type { Command } from '../command.ts';
import { helpLength } from '../help-rows.ts';
import { paletteRowsOf } from '../palette-rows.ts';
import { answerCommands } from './answer.ts';
import { changesCommands } from './changes.ts';
import { copyCommands } from './copy.ts';
import { criticalCommands } from './critical.ts';
import { decideCommands } from './decide.ts';
import { drawCommands } from './draw.ts';
import { endCommands } from './end.ts';
import { issueCommands } from './flow/issues.ts';
import { planReviewCommands } from './flow/plan-review.ts';
import { formCommands } from './form.ts';
import { helpCommands } from './help.ts';
import { hereCommands } from './here.ts';
import { leaveCommands } from './leave.ts';
import { loginCommands } from './login.ts';
import { lookCommands } from './look.ts';
import { moveCommands } from './move.ts';
import { paletteCommands } from './palette.ts';
import { permitCommands } from './permit.ts';
import { readCommands } from './read.ts';
import { replayCommands } from './replay.ts';
import { resumeCommands } from './resume.ts';
import { reviewCommands } from './review.ts';
import { searchCommands } from './search.ts';
import { serveCommands } from './serve.ts';
import { signalCommands } from './signal.ts';
import { skillCommands } from './skill.ts';
import { startCommands } from './start.ts';
import { steerCommands } from './steer.ts';
import { talkCommands } from './talk.ts';
import { writeCommands } from './write.ts';

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
  ...criticalCommands,
  ...loginCommands,
  ...resumeCommands,
  ...startCommands,
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
