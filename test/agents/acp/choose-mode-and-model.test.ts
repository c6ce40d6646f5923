import { expect, test } from 'vitest';
import { chooseModeAndModel } from '../../../src/agents/backends/acp/choose-mode-and-model.ts';
import type { AgentLink, OpenedSession } from '../../../src/agents/backends/acp/link.ts';
import { FaultError } from '../../../src/base/fault.ts';

type Setters = Pick<AgentLink, 'setMode' | 'setModel' | 'setOption'>;

/** An agent that notes what it is set to. It refuses the value `broken`. */
const linkNoting = (done: string[]): AgentLink => {
  const note = async (what: string, value: string): Promise<void> => {
    if (value === 'broken')
      throw new FaultError({ code: 'agent-refused', what: 'it answered with an error' });
    done.push(`${what} ${value}`);
  };
  const setters: Setters = {
    setMode: (_session, mode) => note('set_mode', mode),
    setModel: (_session, model) => note('set_model', model),
    setOption: (_session, id, value) => note(`option ${id}`, value),
  };
  const unused = (): never => {
    throw new Error('not part of this test');
  };
  return {
    ...setters,
    about: {
      version: null,
      canLoad: false,
      canResume: false,
      canClose: false,
      takesHttpTools: false,
      steers: false,
    },
    open: unused,
    setTitle: unused,
    prompt: unused,
    steer: unused,
    cancel: unused,
    leave: unused,
    close: unused,
  };
};

const plain: OpenedSession = { id: 's', mode: null, modes: [], model: null, models: [], options: [] };
const gemini: OpenedSession = {
  ...plain,
  mode: 'yolo',
  modes: ['default', 'yolo', 'plan', 'broken'],
  model: 'auto',
  models: ['auto', 'pro', 'broken'],
};
const option = (id: string, value: string, choices: readonly string[]) => ({
  id,
  category: id,
  value,
  choices,
});
const codex: OpenedSession = {
  ...plain,
  options: [
    option('mode', 'agent', ['agent', 'read-only', 'broken']),
    option('model', 'small', ['small', 'large']),
  ],
};

const check = async (
  opened: OpenedSession,
  wish: { readonly mode?: string; readonly model?: string },
  askingMode: string | null = 'default',
) => {
  const done: string[] = [];
  const { setMode: _, ...chosen } = await chooseModeAndModel(
    linkNoting(done),
    opened,
    { label: 'Agent', askingMode },
    { mode: wish.mode ?? null, model: wish.model ?? null },
  );
  return { ...chosen, done };
};

test('without a wish an agent runs in its asking mode, with the model of its choice', async () => {
  expect(await check(gemini, {})).toEqual({
    mode: 'default',
    model: 'auto',
    sentences: [],
    done: ['set_mode default'],
  });
  expect(await check(codex, {}, 'read-only')).toMatchObject({
    mode: 'read-only',
    model: 'small',
    done: ['option mode read-only'],
  });
  expect(await check(plain, {}, null)).toEqual({ mode: null, model: null, sentences: [], done: [] });
});

test('a wish is set by config option where the agent has one, else by its own request', async () => {
  expect(await check(gemini, { mode: 'plan', model: 'pro' })).toMatchObject({
    mode: 'plan',
    model: 'pro',
    done: ['set_mode plan', 'set_model pro'],
    sentences: ['Agent runs in mode "plan", not in "default": it may act without asking'],
  });
  expect(await check(codex, { model: 'large' }, 'read-only')).toMatchObject({
    model: 'large',
    done: ['option mode read-only', 'option model large'],
    sentences: [],
  });
});

test('what this version does not offer is one sentence and no failure', async () => {
  expect(await check(gemini, { mode: 'ask', model: 'ultra' })).toMatchObject({
    mode: 'default',
    model: 'auto',
    sentences: [
      'Agent has no mode "ask": it offers default, yolo, plan, broken',
      'Agent has no model "ultra": it offers auto, pro, broken',
    ],
  });
  expect((await check(plain, { model: 'ultra' }, null)).sentences).toEqual([
    'Agent has no model "ultra": it offers none to choose from',
  ]);
  expect((await check(gemini, { model: 'broken' })).sentences).toEqual([
    'Agent has no model "broken": it answered with an error',
  ]);
});

test('an agent without its asking mode runs with a warning, one that refuses it does not start', async () => {
  expect((await check(plain, {})).sentences).toEqual([
    'Agent has no mode "default" that asks before it acts: it may act without asking',
  ]);
  await expect(check(codex, {}, 'broken')).rejects.toThrow('it answered with an error');
});
