import { expect, onTestFinished, test } from 'vitest';
import type { Entry } from '../../src/skills/talk/entry.ts';
import { emptyTalk, tell } from '../../src/skills/talk/talk.ts';
import { openTalkOverlay } from '../../src/store/overlays/talk.ts';
import { sampleTalk } from '../helpers/sample-talk.ts';
import { openScene } from '../helpers/scenes/scene.ts';
import { talkScenes } from '../helpers/scenes/talk.ts';
import { expectGolden, openScreen } from '../helpers/screen.tsx';

test.each(talkScenes)('$name looks as it did at 160x45', async (scene) => {
  const screen = await openScene(scene, { columns: 160, rows: 45 });
  onTestFinished(screen.unmount);
  expectGolden(`${scene.name}.160x45`, screen.frame());
});

const openTalk = async (columns = 120) => {
  const screen = await openScreen({ connection: 'stopped', columns, rows: 36 });
  onTestFinished(screen.unmount);
  screen.store.act({ type: 'overlay-opened', overlay: openTalkOverlay(sampleTalk, 'Sample') });
  await screen.settle();
  return screen;
};

test('the option under the cursor answers, and typed words go before it', async () => {
  const screen = await openTalk();
  await screen.press('\u001b[B', '\r');
  expect(screen.intents.at(-1)).toEqual({ type: 'talk-answered', question: 'b', answer: '2' });
  await screen.type('only on a phone');
  await screen.press('\r');
  expect(screen.intents.at(-1)).toEqual({ type: 'talk-answered', question: 'b', answer: 'only on a phone' });
  await screen.type('9');
  await screen.press('\r');
  expect(screen.intents).toHaveLength(2);
  expect(screen.frame()).toContain('"9" is no number from 1 to 4.');
});

test('a permission begins at no option: the key that answers does not give it', async () => {
  const screen = await openTalk();
  const question = {
    id: 'p',
    kind: 'choice',
    text: 'May the agent do this?',
    help: 'rm -rf x',
    options: [{ id: 'allow', label: 'yes, once', detail: '' }],
    offered: '',
    optional: false,
  } as const;
  screen.store.act({
    type: 'talk-shown',
    talk: tell(sampleTalk, { type: 'asked', question: { ...question, options: [...question.options] } }),
  });
  await screen.press('\r');
  expect(screen.intents).toEqual([]);
  await screen.type('1');
  await screen.press('\r');
  expect(screen.intents).toEqual([{ type: 'talk-answered', question: 'p', answer: 'allow' }]);
});

test('what agents and files say changes nothing on the screen but their own words', async () => {
  const screen = await openTalk();
  const evil = 'a\u001b]52;c;x\u0007\u001b[2Jb';
  const talk: readonly Entry[] = [
    { type: 'started', skill: evil, argument: evil, mode: 'agent', agent: null, at: '' },
    { type: 'said', by: 'agent', text: evil },
    { type: 'tool', id: '1', title: evil, status: 'done' },
    { type: 'drafted', text: `# ${evil}`, problems: [evil] },
    {
      type: 'asked',
      question: {
        id: 'q',
        kind: 'words',
        text: evil,
        help: evil,
        options: [{ id: '1', label: evil, detail: evil }],
        offered: '',
        optional: false,
      },
    },
  ];
  screen.store.act({ type: 'talk-shown', talk: talk.reduce(tell, emptyTalk) });
  await screen.settle();
  expect(screen.frame()).not.toMatch(/\]52;|\[2J/);
  expect(screen.frame()).toContain('ab');
});
