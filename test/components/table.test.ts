import { describe, expect, test } from 'vitest';
import { commands } from '../../components/commands.ts';
import { keysWidth } from '../../components/help/help-columns.ts';
import { editKeys, isField } from '../../components/keys/edit-keys.ts';
import { commandFor } from '../../components/keys/press.ts';
import { footerHints, helpRows, keyTable } from '../../components/table.ts';
import type { ViewState } from '../../components/view.ts';
import { inContext, overlays, rich, storeOf } from '../helpers/contexts.ts';
import { twoSideBySide } from '../helpers/story.ts';

/** The help with all its groups. */
const allHelp = (view: ViewState) =>
  helpRows({
    ...view,
    ui: { ...view.ui, overlays: [...view.ui.overlays, { kind: 'help', top: 0, all: true }] },
  });

describe('the command table', () => {
  test('has no key with two commands in one context', () => {
    const claims = commands.flatMap((command) => command.keys.map((key) => `${command.context} ${key}`));
    expect(claims.filter((claim, index) => claims.indexOf(claim) !== index)).toEqual([]);
  });

  test('has no two commands of one id', () => {
    const ids = commands.map((command) => command.id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('takes no plain character away from a text field, and no editing key by accident', () => {
    const taken = commands
      .filter((command) => isField(command.context))
      .flatMap((command) => command.keys.map((key) => `${command.context} ${key}`))
      .filter((claim) => /^\S+ (.|space)$/u.test(claim) || editKeys[claim.split(' ')[1] ?? ''] !== undefined);
    expect(taken).toEqual([]);
  });

  test.each(commands.map((command) => [command.id, command] as const))(
    '%s does something, or says why not',
    (_, command) => {
      const view = inContext(command.context).getState();
      const available = command.available(view);
      if (available === true) expect(command.run(view).length).toBeGreaterThan(0);
      else expect(available).toMatch(/^\S.{5,}$/);
    },
  );

  /** What cannot be done in a session where work runs and nothing is held or failed. */
  const unavailableThere = [
    'steer.now',
    'steer.retry',
    'steer.replace',
    'steer.edit',
    // No file there is unproven.
    'signal.confirm',
    // The knowledge that waits there has two answers.
    'needs.third',
    'needs.fourth',
    'needs.fifth',
    'confirm.other',
    'answer.side',
    'answer.edit-plan',
    'answer.rehearse',
    'answer.resolve',
    // The verdict on that plan has four choices.
    'answer.fifth',
    // Nothing asks for permission there.
    'permission.once',
    'permission.session',
    'permission.no',
    'permission.why',
    'permission.revoke',
    'session.login',
    'end.login',
    'session.resume',
    'end.resume',
    'end.retry',
    'end.retry-with',
    'write.send-and-resume',
    'write.commands',
    // The tasks are not drawn as a graph there.
    'draw.fold',
    // That screen is too narrow.
    'draw.third',
    'trust.next-match',
    'trust.previous-match',
    'read.next-match',
    'read.previous-match',
    'read.previous-failure',
    'read.next-failure',
    'read.thoughts',
    'read.earlier-attempt',
    'read.later-attempt',
    // That session has not ended.
    'changes.undo',
    // The keys are not in Changes there, and the pane is too narrow for two columns.
    'changes.next-file',
    'changes.previous-file',
    'changes.columns',
    // There the Reviewer judges.
    'review.comment',
    'review.accept',
    'review.reject',
    // No tracker was read there.
    'issues.start',
    'issues.browse',
    'issues.move',
    'move-issue.choose',
    'move-issue.break',
    'knowledge.copy-text',
    'move.left',
    'move.right',
    'answer.page-down',
    'answer.page-up',
  ];

  test('nearly every command can act in a session with work under way', () => {
    const without = commands
      .filter((command) => command.available(inContext(command.context).getState()) !== true)
      .map((command) => command.id);
    expect(
      without,
      'add a command that has nothing to do there to unavailableThere, in the order of the table',
    ).toEqual(unavailableThere);
  });

  test('running a command only ever gives what the reducers take', () => {
    for (const command of commands) {
      const store = inContext(command.context);
      if (command.available(store.getState()) !== true) continue;
      for (const effect of command.run(store.getState())) if (effect.kind === 'act') store.act(effect.action);
      expect(store.getState().ui.overlays.length).toBeLessThanOrEqual(2);
    }
  });

  test('footer and help advertise only keys that are in the table', () => {
    const view = rich().getState();
    const inMain = commands.filter(({ context, keys }) => context === 'main' && keys.length > 0);
    expect(footerHints(view).map((hint) => hint.key)).toEqual([
      'u',
      'p',
      's',
      'i',
      'x',
      'A',
      'Tab',
      'Enter',
      'w',
      'f',
      ':',
      '?',
      'q',
    ]);
    const keys = allHelp(view).filter((row) => row.kind === 'key');
    expect(keys.length).toBeGreaterThanOrEqual(inMain.length);
    expect(keyTable().length).toBeGreaterThanOrEqual(inMain.length);
    expect(keyTable().every((row) => row.keys !== '' && row.what !== '')).toBe(true);
  });

  test('keys that are longer than their column have a row of their own in the help, and their text begins where all do', () => {
    const rows = allHelp(rich().getState()).filter((row) => row.kind === 'key');
    const long = rows.findIndex(({ keys }) => keys === 'ctrl-j alt-Enter');
    expect(rows[long]).toMatchObject({ what: '' });
    expect(rows[long + 1]).toMatchObject({ keys: '', title: 'new line' });
    expect(rows.filter(({ keys, title }) => title !== '' && keys.length > keysWidth)).toEqual([]);
  });

  test.each([
    ['details', /There is nothing to open here: .*earlier-attempt.* choose an attempt/],
    ['changes', /There is nothing to open here: .*scope/],
  ] as const)('Enter in %s opens nothing, and what one can do there is said', (tab, said) => {
    const store = rich();
    store.act({ type: 'tab-chosen', tab });
    const open = commands.find(({ id }) => id === 'look.open');
    expect(open?.available(store.getState())).toMatch(said);
  });

  test('a key of the help has a title of at most four words', () => {
    const rows = allHelp(rich().getState()).flatMap((row) => (row.kind === 'key' ? [row.title] : []));
    expect(rows.filter((title) => title.split(' ').length > 4)).toEqual([]);
    expect(rows.length).toBeGreaterThan(50);
  });

  test.each([
    ['output', 'Output', ['/', 'Enter', 't']],
    ['events', 'Events', ['Enter', 'f', 't']],
    ['timeline', 'Timeline', [')', '(', 'h']],
  ] as const)(
    'with the focus on %s its keys stand in the footer and first in the help',
    (tab, name, keys) => {
      const store = storeOf(twoSideBySide());
      store.act({ type: 'tab-chosen', tab });
      const view = store.getState();
      expect(helpRows(view)[0]).toEqual({ kind: 'group', title: `Here and now · ${name}` });
      const hints = footerHints(view).map(({ key }) => key);
      const tabAt = hints.indexOf('Tab');
      expect(hints.slice(tabAt + 1, tabAt + 4)).toEqual(keys);
    },
  );

  test('help gives the reason where a key can do nothing', () => {
    const view = storeOf(twoSideBySide()).getState();
    const row = allHelp(view).find((help) => help.kind === 'key' && help.keys === 'u');
    expect(row).toMatchObject({ why: 'Nothing is waiting for you' });
  });

  test('in every overlay Esc and ctrl-c close it', () => {
    for (const [context, overlay] of Object.entries(overlays)) {
      for (const key of ['escape', 'ctrl-c']) {
        const store = inContext(
          overlay.kind === 'knowledge' && context !== 'knowledge' ? 'knowledge-asking' : overlay.kind,
        );
        const name = overlay.kind === 'knowledge' && overlay.asking ? 'knowledge-asking' : overlay.kind;
        expect(commandFor(name, key)?.run(store.getState()), `${name} ${key}`).toBeDefined();
      }
    }
  });
});
