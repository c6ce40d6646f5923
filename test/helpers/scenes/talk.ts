import { openTalkOverlay } from '../../../components/talk/talk-view.ts';
import type { Entry } from '../../../src/skills/talk/entry.ts';
import { emptyTalk, type Talk, tell } from '../../../src/skills/talk/talk.ts';
import { sampleTalk } from '../sample-talk.ts';
import type { Scene } from './scene.ts';

const scene = (name: string, talk: Talk, label: string, ...keys: readonly string[]): Scene => ({
  name: `talk-${name}`,
  options: { connection: 'stopped' },
  act: async (screen) => {
    screen.store.act({ type: 'overlay-opened', overlay: openTalkOverlay(emptyTalk, label) });
    screen.store.act({ type: 'talk-shown', talk });
    await screen.settle();
    await screen.press(...keys);
  },
});

const idea =
  '---\ndate: 2026-11-23\nstatus: draft\n---\n# Offline mode\n\n## The Idea\n\nRead pages without a network.\n';
const form: readonly Entry[] = [
  { type: 'started', skill: 'draft-idea', argument: 'Offline mode', mode: 'form', agent: null, at: '' },
  { type: 'drafted', text: idea, problems: [] },
  {
    type: 'asked',
    question: {
      id: 'approve',
      kind: 'approve',
      text: 'Keep this idea?',
      help: '',
      options: [
        { id: 'yes', label: 'yes', detail: '' },
        { id: 'no', label: 'no', detail: '' },
      ],
      offered: 'yes',
      optional: false,
    },
  },
];

const edit: readonly Entry[] = [
  { type: 'about', path: 'thoughts/shared/plans/a.md', text: sampleTalk.document, edits: true },
  {
    type: 'drafted',
    text: sampleTalk.document.replace(
      '- [ ] a page opens on a plane',
      '- [ ] a page opens in a tunnel\n- [ ] it says how old it is',
    ),
    problems: [],
  },
];

const phase: readonly Entry[] = [
  { type: 'started', skill: 'implement-plan', argument: '#42', mode: 'agent', agent: 'sample', at: '' },
  { type: 'about', path: 'thoughts/shared/plans/a.md', text: sampleTalk.document, edits: true },
  { type: 'drafted', text: sampleTalk.document, problems: [] },
  { type: 'placed', changes: '261123-101500+plan', branch: 'ralph/a' },
  { type: 'phase', name: 'Phase 1: Store' },
  { type: 'said', by: 'agent', text: 'Pages are stored by their address in `src/cache.ts`.' },
  { type: 'tool', id: 'c', title: 'npm test', status: 'failed' },
  { type: 'said', by: 'program', text: '`npm test` exited 1 after 1.2 s: 1 test failed' },
  { type: 'spent', input: 12_345, output: 678, cost: null },
  {
    type: 'asked',
    question: {
      id: 'p',
      kind: 'words',
      text: 'What do you say?',
      help: '1 of 1 checks failed.',
      options: [
        { id: '=fix', label: 'let the agent fix what failed', detail: '' },
        { id: '=check', label: 'check Phase 1: Store', detail: 'npm test' },
        { id: '=look', label: 'show what changed', detail: '' },
        { id: '=leave', label: 'stop here', detail: 'and continue later' },
      ],
      offered: '',
      optional: false,
    },
  },
];

const permission: Entry = {
  type: 'asked',
  question: {
    id: 'allow-6',
    kind: 'choice',
    text: 'May the agent run this?',
    help: 'rm -rf build\nin /home/ada/reader',
    options: [
      { id: 'allow', label: 'yes, once', detail: '' },
      { id: 'refuse', label: 'no', detail: '' },
    ],
    offered: '',
    optional: false,
  },
};

/** Conversations with a skill. */
export const talkScenes: readonly Scene[] = [
  scene('plan', sampleTalk, 'Sample'),
  scene('document', sampleTalk, 'Sample', '\t', '\u0014'),
  scene('difference', edit.reduce(tell, sampleTalk), 'Sample', '\t'),
  scene('approve', form.reduce(tell, emptyTalk), ''),
  scene(
    'permission',
    tell(tell(sampleTalk, { type: 'answered', id: 'b', answer: '1' }), permission),
    'Sample',
  ),
  scene('phase', phase.reduce(tell, emptyTalk), 'Sample'),
  scene(
    'grows',
    {
      ...tell(sampleTalk, { type: 'answered', id: 'b', answer: '1' }),
      growing: {
        words: 'Then the second phase reads what the **first** one',
        document: `${sampleTalk.document}\n## Phase 2: Read\n\nA page is read from the store, and only then from the`,
      },
    },
    'Sample',
  ),
  scene('works', tell(sampleTalk, { type: 'answered', id: 'b', answer: '1' }), 'Sample'),
];
