import { allSettings } from '../../../session/settings/index.ts';
import type { Setting } from '../../../session/settings/setting.ts';
import { formatSetting } from '../format-setting.ts';
import type { Topic } from './topic.ts';

/** Every setting with its default, from the settings table. */
export const settings: Topic = {
  name: 'settings',
  summary: 'every configuration key with its default',
  sections: () => [
    {
      kind: 'text',
      text: 'Durations are written `250ms`, `30s`, `5m` or `24h`. A `SET` signal changes the settings marked "yes" while the session runs. A star marks what a file in the repository may set only after you have trusted it.',
    },
    {
      kind: 'table',
      rows: [['key', 'default', 'SET', 'does'], ...allSettings.map(rowOf)],
    },
  ],
};

const rowOf = (setting: Setting): readonly string[] => [
  `\`${setting.key}\`${setting.widens === 'never' ? '' : ' *'}`,
  [formatSetting(setting.key, setting.default), ...otherDefaults(setting)].join(', '),
  setting.live ? 'yes' : '',
  setting.sentence,
];

const otherDefaults = ({ key, defaultsWhen = [] }: Setting): readonly string[] =>
  defaultsWhen.map(({ value, words }) => `${formatSetting(key, value)} ${words}`);
