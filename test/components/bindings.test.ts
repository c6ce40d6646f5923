import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commands } from '../../components/commands.ts';
import { createStore } from '../../components/create-store.ts';
import { bind, bindingsOf, bindTo } from '../../components/keys/bindings.ts';
import { createEditor } from '../../components/keys/line-editor.ts';
import { press } from '../../components/keys/press.ts';
import { footerHints, freeLetters, helpRows, paletteRows, withKeys } from '../../components/table.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { twoSideBySide } from '../helpers/story.ts';

const viewWith = (keys: Readonly<Record<string, string>>) => {
  const store = createStore({ clock: createManualClock(), evolve, connection: 'live' });
  store.load(twoSideBySide().events);
  const view = store.getState();
  const { session } = view;
  if (session === null) throw new Error('the story has no session');
  const { settings } = session;
  return { ...view, session: { ...session, settings: { ...settings, ui: { ...settings.ui, keys } } } };
};

describe('own keys', () => {
  test('take the place of those of the table: to press, in the footer and in the help', () => {
    const view = viewWith({ 'steer.pause': 'ctrl-p P' });
    expect(press(view, { name: 'P', text: 'P' })).toMatchObject([
      { kind: 'perform', intent: { signal: { type: 'PAUSE' } } },
    ]);
    expect(press(view, { name: 'p', text: 'p' })).toEqual([]);
    expect(footerHints(view).find((hint) => hint.label === 'pause')?.key).toBe('ctrl-p');
    expect(helpRows(view)).toContainEqual(expect.objectContaining({ keys: 'ctrl-p P' }));
  });

  test('are named by every sentence that tells of a key', () => {
    const view = viewWith({ 'steer.steer': 'ctrl-s', 'decide.open': 'ctrl-y' });
    expect(press(view, { name: '!', text: '!' })).toMatchObject([
      {
        action: {
          notice: {
            text: expect.stringContaining(': a message sent with ctrl-s is read when it ends'),
          },
        },
      },
    ]);
    const palette = { kind: 'palette', cursor: 0, editor: createEditor() } as const;
    const rows = paletteRows({ ...view, ui: { ...view.ui, overlays: [palette] } });
    expect(rows).toContainEqual(expect.objectContaining({ why: 'only for questions: ctrl-y' }));
    expect(withKeys(view, 'Paused by {kim} · {steer.pause} resumes')).toBe('Paused by {kim} · p resumes');
  });

  test('may change places with each other', () => {
    expect(bind({ 'steer.pause': 's', 'steer.steer': 'p' }).problems).toEqual([]);
  });

  test('that are taken say by what, and the command keeps its own', () => {
    const { problems, byKey } = bind({ 'steer.steer': 'p' });
    expect(problems).toEqual(['ui.keys: p is already a key of steer.pause; steer.steer keeps s']);
    expect(byKey.get('main p')?.id).toBe('steer.pause');
    expect(byKey.get('main s')?.id).toBe('steer.steer');
  });

  test.each([
    [{ nonsense: 'p' }, 'ui.keys: unknown command "nonsense"'],
    [{ 'steer.pause': '' }, 'ui.keys: steer.pause has no key: set one, such as "p"'],
    [
      { 'steer.pause': 'hyper-p' },
      'ui.keys: "hyper-p" for steer.pause is not a key: use p, P, ctrl-p, alt-p, pageup, …',
    ],
    [{ 'write.send': 'x' }, 'ui.keys: x is an editing key, so write.send cannot use it'],
  ])('that cannot be, as %j, are said in one sentence', (keys, sentence) => {
    expect(bind(keys).problems).toEqual([sentence]);
  });

  test('whatever is set, no key has two commands in one context and no command loses its last key', () => {
    const ids = fc.constantFrom(...commands.map(({ id }) => id), 'nonsense');
    const keys = fc.constantFrom('p', 's', 'x', 'q', 'enter', 'ctrl-x', 'z z', '', 'hyper-p');
    fc.assert(
      fc.property(fc.dictionary(ids, keys, { maxKeys: 12 }), (settings) => {
        const bound = bind(settings).commands;
        const claims = bound.flatMap((command) =>
          [...new Set(command.keys)].map((key) => `${command.context} ${key}`),
        );
        expect(new Set(claims).size).toBe(claims.length);
        const keyless = new Set(commands.filter((each) => each.keys.length === 0).map(({ id }) => id));
        expect(bound.every(({ id, keys: own }) => own.length > 0 || keyless.has(id))).toBe(true);
        const inPalette = ['look.runners', 'session.serve'];
        expect([...keyless].every((id) => id.startsWith('skill.') || inPalette.includes(id))).toBe(true);
      }),
    );
  });

  test('a clash of the table itself ends: who set nothing loses nothing', () => {
    const twice = commands.map((command) =>
      command.id === 'leave.quit' ? { ...command, keys: ['p'] } : command,
    );
    const { problems, commands: bound } = bindTo(twice, { 'steer.info': 'p' });
    expect(problems).toEqual(['ui.keys: p is already a key of steer.pause; steer.info keeps i']);
    expect(bound.find(({ id }) => id === 'leave.quit')?.keys).toEqual(['p']);
  });

  test('none set costs nothing: the table itself', () => {
    expect(bindingsOf(viewWith({})).commands).toMatchObject(
      commands.map(({ available, offered, ...command }) => command),
    );
  });
});

test('a letter that the page of keys calls free can be given to any command over the panes, and another one cannot', () => {
  expect(freeLetters()).not.toContain('s');
  for (const letter of freeLetters()) expect(bind({ 'steer.pause': letter }).problems).toEqual([]);
  expect(bind({ 'steer.pause': 's' }).problems).not.toEqual([]);
});
