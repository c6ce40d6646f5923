import type { Store } from '../../../components/create-store.ts';
import { noIssues } from '../../../components/ports/issues-port.ts';
import { openTalkOverlay } from '../../../components/talk/talk-view.ts';
import { emptyTalk } from '../../skills/talk/talk.ts';
import type { TalkIo } from '../../skills/talk/talk-io.ts';
import type { Cli } from '../cli.ts';
import { stopOnSignals } from '../host/stop-on-signals.ts';
import type { World } from '../world.ts';
import { blankPort, blankStore } from './blank-screen.ts';
import { openScreen } from './screen.tsx';

/** A conversation as an overlay of a screen, with the person's side of it. */
export interface ScreenTalk {
  readonly io: TalkIo;
  /** The answer to the open question. Returns a sentence for one that is not open any more, else `null`. */
  readonly answer: (question: string, answer: string) => string | null;
  /** The person left: every question from now on has no answer. */
  readonly leave: () => void;
}

/** Opens the conversation over what a screen shows. `label` names the agent; '' for a form. */
export const createScreenTalk = (store: Store, label: string): ScreenTalk => {
  let waiting: { readonly id: string; readonly settle: (answer: string | null) => void } | null = null;
  const leaving = new AbortController();
  store.act({ type: 'overlay-opened', overlay: openTalkOverlay(emptyTalk, label) });
  return {
    io: {
      left: leaving.signal,
      show: (talk) => store.act({ type: 'talk-shown', talk }),
      ask: (question, talk) => {
        store.act({ type: 'talk-shown', talk });
        waiting?.settle(null);
        if (leaving.signal.aborted) return Promise.resolve(null);
        return new Promise((settle) => {
          waiting = { id: question.id, settle };
        });
      },
    },
    answer: (question, answer) => {
      if (waiting?.id !== question) return 'This question is no longer open';
      const { settle } = waiting;
      waiting = null;
      settle(answer);
      return null;
    },
    leave: () => {
      leaving.abort();
      waiting?.settle(null);
      waiting = null;
    },
  };
};

/** A screen of its own for one conversation. `close` gives the terminal back and resolves when it did. */
export const openTalkScreen = (
  cli: Cli,
  world: World,
  workspace: string,
  label: string,
): { readonly io: TalkIo; readonly close: () => Promise<void> } => {
  const store = blankStore(cli, world, workspace);
  const talk = createScreenTalk(store, label);
  const screen = openScreen(cli, {
    store,
    clock: world.clock,
    port: {
      ...blankPort(cli, world, workspace),
      issues: noIssues,
      perform: async (intent) =>
        intent.type === 'talk-answered'
          ? talk.answer(intent.question, intent.answer)
          : 'This works only in a session, but this screen shows a conversation',
    },
    quit: async () => {},
  });
  const release = stopOnSignals(cli, { quit: async () => screen.close() });
  const gone = screen.gone.finally(() => {
    release();
    talk.leave();
  });
  return {
    io: talk.io,
    close: async () => {
      screen.close();
      const broken = await gone;
      if (broken) throw broken;
    },
  };
};
