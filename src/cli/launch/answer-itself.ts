import type { Event } from '../../pipeline/event.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { Cli } from '../cli.ts';
import { readSession } from '../session/open-session.ts';
import { signAsPerson } from '../session/proof/signal-proof.ts';
import { sendSignal } from '../session/publish.ts';
import type { World } from '../world.ts';

const afterMs = 3_000;

/** Approves each plan of the demo after 3 s where nobody can be asked, and says so. Everywhere else only a person approves. */
export const answerItself =
  (cli: Cli, world: World, paths: SessionPaths, say: (line: string) => void) =>
  (event: Event): void => {
    if (event.type !== 'question.asked' || event.kind !== 'plan-review') return;
    const { request } = event;
    say(
      `         Without a terminal, no one can answer ${event.task ?? request}: the demo will approve it in ${afterMs / 1_000} s.`,
    );
    world.clock.after(afterMs, () => {
      const session = readSession(world, paths);
      const open = session.state.questions.get(request);
      if (!session.state.running || open === undefined || open.answer !== null) return;
      sendSignal(
        session,
        { type: 'ANSWER', target: 'ALL', request, option: 'approve' },
        signAsPerson(cli.env, world, paths, 'the demo', false),
      );
    });
  };
