import { expect, test } from 'vitest';
import { allSettings, settingSteps } from '../../src/session/settings/index.ts';
import { readSources } from '../helpers/source-tree.ts';

/** Where a setting is only shown, copied or described. */
const showing = /^(?:src\/(?:session\/|cli\/options\.ts)|components\/frame\/select-header\.ts)/;

/** `settings.timeouts.stall`, `{ stall } = settings.timeouts`, `{ timeouts } = settings` with `timeouts.stall`; what is under `ui` goes by `preferences`. */
const readingOf = (key: string): RegExp => {
  const steps = key.split('.');
  const name = steps.at(-1) ?? key;
  const group = steps.slice(0, -1).join('\\.');
  if (group === '')
    return new RegExp(
      `settings\\??\\.${name}\\b|\\{[^{}]*\\b${name}\\b[^{}]*\\}(?:: Pick<Settings| = \\S*settings;)`,
    );
  if (group === 'ui')
    return new RegExp(
      `(?:preferences|ui|selectPreferences\\([^()]*(?:\\(\\))?\\))\\.${name}\\b|\\{[^{}]*\\b${name}\\b[^{}]*\\}(?: = selectPreferences|: Pick<Preferences)`,
    );
  return new RegExp(`\\b${group}\\.${name}\\b|\\{[^{}]*\\b${name}\\b[^{}]*\\} = \\S*settings\\.${group};`);
};

test('every setting is obeyed somewhere', () => {
  const code = readSources()
    .filter(({ path }) => !showing.test(path))
    .map((file) => file.code)
    .join('\n');
  const isRead = (key: string): boolean =>
    settingSteps(key).length === 1 && key.includes('.')
      ? // A step of its own is read by its whole name, which `code` leaves out with all strings.
        readSources().some(({ path, text }) => !showing.test(path) && text.includes(`settings['${key}']`))
      : readingOf(key).test(code);
  const nobody = allSettings.map(({ key }) => key).filter((key) => !isRead(key));
  expect(nobody).toEqual([]);
});
