import { bad, good } from '../../../src/cli/report/finding.ts';
import { formatFindings } from '../../../src/cli/report/format-findings.ts';
import { rehearsalCommands } from '../../../src/cli/setup/rehearse.ts';
import { defaultSettings } from '../../../src/session/settings.ts';
import type { TestScreen } from '../screen.tsx';
import type { Story } from '../story.ts';
import type { Scene } from './scene.ts';
import { plannedInFull } from './waiting.ts';

/** The same plan for agents with a model, of which none has worked here. */
const firstOfModel = (): Story => {
  const story = plannedInFull();
  const settings = {
    ...defaultSettings,
    roles: { ...defaultSettings.roles, executor: 'gemini', reviewer: 'gemini' },
    worktree: { ...defaultSettings.worktree, setup: ['npm ci'] },
  };
  return {
    ...story,
    events: story.events.map((event) =>
      event.type === 'session.created' || event.type === 'session.started' ? { ...event, settings } : event,
    ),
  };
};

const opened =
  (stage: 'asks' | 'done') =>
  async (screen: TestScreen): Promise<void> => {
    await screen.press('u');
    const { session, ui } = screen.store.getState();
    const tasks = [...(session?.tasks.values() ?? [])].map(({ definition }) => definition);
    const lines =
      stage === 'asks'
        ? rehearsalCommands(session?.settings ?? defaultSettings, tasks)
        : formatFindings(
            [
              good('worktree.setup', 'works in a new worktree'),
              bad('verify schema', 'node could not be started', 'it cannot start', 'install the program'),
              good('push', 'origin would take a branch'),
            ],
            Math.min(110, ui.size.columns - 4) - 4,
          ).split('\n');
    screen.store.act({ type: 'overlay-opened', overlay: { kind: 'rehearsal', stage, lines, top: 0 } });
    await screen.settle();
  };

export const rehearsalScenes: readonly Scene[] = [
  { name: 'plan-gate-first', story: firstOfModel, act: (screen) => screen.press('u') },
  { name: 'rehearsal', story: firstOfModel, act: opened('asks') },
  { name: 'rehearsal-done', story: firstOfModel, act: opened('done') },
];
