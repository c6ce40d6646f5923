import { expect, onTestFinished, test } from 'vitest';
import { createStore } from '../../components/create-store.ts';
import { createScreenTalk } from '../../src/cli/screen/talk-on-screen.ts';
import { createAskPerson } from '../../src/cli/skills/ask-person.ts';
import { createWorld } from '../../src/cli/world.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { ask, type Question } from '../../src/session/forms/question.ts';
import type { Talk } from '../../src/skills/talk/talk.ts';
import { startTalk } from '../../src/skills/talk/talk-journal.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const createPerson = () => {
  const store = createStore({ clock: createManualClock(), evolve, connection: 'stopped' });
  const talk = createScreenTalk(store, 'Sample');
  const journal = startTalk({ ...createWorld(), workspace: tempDir() });
  onTestFinished(journal.close);
  const overlay = () => {
    const now = store.getState().ui.overlays.find(({ kind }) => kind === 'talk');
    if (now?.kind !== 'talk') throw new Error('no conversation is open');
    return now;
  };
  /** Waits for a question, and says where its cursor is. */
  const asked = async (id: string): Promise<number> => {
    await expect.poll(() => overlay().talk.open?.id).toBe(id);
    return overlay().cursor;
  };
  return { ...talk, journal, overlay, asked, ask: createAskPerson(journal, talk.io) };
};
const may =
  (what: string) =>
  ({ turns }: Talk): Question =>
    ask(`allow-${turns.length}`, 'choice', `May the agent ${what}?`, {
      options: [
        { id: 'allow', label: 'yes', detail: '' },
        { id: 'refuse', label: 'no', detail: '' },
      ],
    });
const open = () => ({ over: new AbortController().signal, means: 'refuse' });

test('of two requests that come at once the second is asked after the first, with no answer under its cursor', async () => {
  const person = createPerson();
  const answers = [person.ask(may('read'), open()), person.ask(may('write'), open())];
  expect(await person.asked('allow-0')).toBe(-1);
  expect(person.overlay().talk.open?.text).toBe('May the agent read?');
  expect(person.answer('allow-0', 'allow')).toBe(null);
  expect(await person.asked('allow-2')).toBe(-1);
  expect(person.overlay().talk.open?.text).toBe('May the agent write?');
  person.answer('allow-2', 'refuse');
  expect(await Promise.all(answers)).toEqual(['allow', 'refuse']);
});

test('a request that comes while the person is asked something else waits, and does not end the conversation', async () => {
  const person = createPerson();
  const said = person.ask(ask('say-0', 'words', 'What do you say?'));
  const allowed = person.ask(may('write'), open());
  await person.asked('say-0');
  person.answer('say-0', 'go on');
  expect(await said).toBe('go on');
  await person.asked('allow-2');
  person.answer('allow-2', 'allow');
  expect(await allowed).toBe('allow');
});

test('a request that was taken back before its turn is never asked, and one that is open counts as refused', async () => {
  const person = createPerson();
  const [first, second] = [new AbortController(), new AbortController()];
  const answers = [
    person.ask(may('read'), { over: first.signal, means: 'refuse' }),
    person.ask(may('write'), { over: second.signal, means: 'refuse' }),
  ];
  await person.asked('allow-0');
  second.abort();
  first.abort();
  expect(await Promise.all(answers)).toEqual([null, null]);
  const { turns, open: left } = person.journal.talk();
  expect(left).toBe(null);
  expect(turns.map((turn) => ('text' in turn ? turn.text : ''))).toEqual(['May the agent read?', 'no']);
});
