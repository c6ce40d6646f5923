import { openForm } from '../../../components/form/form-view.ts';
import { defaultSettings } from '../../../src/session/settings.ts';
import type { SetupOffers } from '../../../src/session/setup/questions.ts';
import { openStart } from './arriving.ts';
import type { Scene } from './scene.ts';

/** A repository with two agents, checks of its own and no configuration. */
export const setupOffers: SetupOffers = {
  agents: [
    { name: 'gemini', about: 'Gemini CLI 0.61.0, login: not checked, in /usr/local/bin/gemini' },
    { name: 'codex', about: 'Codex 2.6.0, login: not checked, in /usr/local/bin/codex-acp' },
  ],
  settings: defaultSettings,
  written: {},
  canIsolate: true,
  checks: 'npm run lint && npm test',
  install: 'npm ci',
  trackers: { markdown: 'TODO.md' },
  shows: true,
};

const scene = (name: string, ...keys: readonly string[]): Scene => ({
  name: `setup-${name}`,
  options: { connection: 'stopped' },
  act: async (screen) => {
    await openStart(screen);
    screen.store.act({ type: 'overlay-opened', overlay: openForm({ kind: 'setup', offers: setupOffers }) });
    await screen.settle();
    await screen.press(...keys);
  },
});

const enter = '\r';

/** The questions of `init`. */
export const setupScenes: readonly Scene[] = [
  scene('agent'),
  scene('models', enter, enter, enter),
  scene('models-wrong', enter, enter, enter, 'opus', enter),
  scene('permissions', enter, enter, enter, enter),
  scene('worktree', ...Array.from({ length: 6 }, () => enter)),
  scene('tracker', ...Array.from({ length: 8 }, () => enter), 'j', 'j'),
  scene('result', ...Array.from({ length: 11 }, () => enter)),
];
