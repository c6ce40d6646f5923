import type { Guidance } from '../../session/guidance/guidance.ts';
import type { Settings } from '../../session/settings.ts';
import type { TalkIo } from '../../skills/talk/talk-io.ts';
import type { TalkJournal } from '../../skills/talk/talk-journal.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import type { AskPerson } from './ask-person.ts';

/** One conversation that runs, with everything its skill needs. */
export interface SkillRun {
  readonly cli: Cli;
  readonly world: World;
  /** Absolute. */
  readonly workspace: string;
  readonly settings: Settings;
  /** What the person forbids agents, as it was when the conversation was opened. */
  readonly guidance: Guidance;
  readonly journal: TalkJournal;
  readonly io: TalkIo;
  readonly ask: AskPerson;
}

/** How a conversation ended: with sentences for the person, and whether the person may continue it. */
export interface SkillEnd {
  readonly ended: 'done' | 'left';
  readonly lines: readonly string[];
}
