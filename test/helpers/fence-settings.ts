import { defaultSettings, type Settings } from '../../src/session/settings.ts';

/** Settings with runners of every kind, and this `on`. */
export const readSettings = (on: Settings['on']): Settings => ({
  ...defaultSettings,
  on,
  runners: {
    jail: { sandbox: 'bwrap', slots: 1, network: 'none', hosts: [], tools: [] },
    wide: { sandbox: 'bwrap', slots: 1, network: 'model', hosts: [], tools: [] },
    box: {
      container: 'podman',
      image: 'node:24',
      slots: 1,
      memory: '1g',
      pids: 64,
      network: 'none',
    },
    gpu: { ssh: 'gpu', slots: 1 },
    same: { ssh: 'gpu', slots: 1 },
    second: { ssh: 'second', slots: 1 },
  },
});
