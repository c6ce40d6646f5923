import { describe, expect, it } from 'vitest';
import { situationDefaults } from '../../src/session/config.ts';
import { allSettings, settingSteps } from '../../src/session/settings/index.ts';
import { nestKeys } from '../../src/session/settings/nest-keys.ts';
import { checkSettings, nest, settingKeys, settingOf } from '../../src/session/settings/partial-settings.ts';
import { defaultSettings } from '../../src/session/settings.ts';

describe.each(allSettings.map((setting) => [setting.key, setting] as const))('%s', (key, setting) => {
  it('has defaults that its schema takes, in memory and as a file gives them', () => {
    const values = [setting.default, ...(setting.defaultsWhen ?? []).map(({ value }) => value)];
    for (const value of values) {
      expect(setting.schema.parse(value)).toEqual(value);
      expect(checkSettings(nest(key, value), { file: 'f', line: null })).toMatchObject({ ok: true });
    }
    expect(settingOf(defaultSettings, key)).toEqual(setting.default);
  });

  it('has a name and a sentence for people', () => {
    expect(key).toMatch(/^[a-z_]+(?:\.[a-z_]+)*$/);
    expect(setting.sentence).toMatch(/^[A-Z].*\.$/);
  });

  it('is not live when it lets agents do more, but for limits, which a person moves while a session runs', () => {
    if (setting.live && !/^(?:limits|loop)\./.test(key)) expect(setting.widens).toBe('never');
  });
});

it('no key is two settings; one below a setting with a value is a step of its own, directly below a first name', () => {
  expect(new Set(settingKeys).size).toBe(settingKeys.length);
  const below = settingKeys.filter((key) => settingKeys.some((other) => key.startsWith(`${other}.`)));
  expect(below).toEqual(['permissions.unattended']);
  expect(below.map(settingSteps)).toEqual([['permissions.unattended']]);
});

it('defaults of the situation come from the table', () => {
  expect(
    situationDefaults({ attended: true, background: false, modelAgents: true, ownPlan: false }).values,
  ).toEqual({
    concurrency: { max_parallel_executors: 2 },
    gates: ['plan'],
    planning: { max_cycles: 1 },
  });
  // A person reads a plan of their own before the start, and approves it once.
  expect(
    situationDefaults({ attended: true, background: false, modelAgents: true, ownPlan: true }).values,
  ).not.toHaveProperty('gates');
  expect(
    situationDefaults({ attended: false, background: false, modelAgents: false, ownPlan: false }).values,
  ).toEqual({
    knowledge: { approval_timeout: 0 },
  });
  expect(
    situationDefaults({ attended: true, background: true, modelAgents: false, ownPlan: false }).values,
  ).toEqual({
    knowledge: { approval_timeout: 86_400_000 },
  });
});

it('keys become a tree of any depth', () => {
  const entries = [
    ['a.b.c', 1],
    ['d', 2],
    ['a.e', 3],
  ] as const;
  expect(nestKeys<unknown>(entries, (group) => group)).toEqual({ a: { b: { c: 1 }, e: 3 }, d: 2 });
});
