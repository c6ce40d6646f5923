import type { Entry } from '../../src/skills/talk/entry.ts';
import { emptyTalk, type Talk, tell } from '../../src/skills/talk/talk.ts';

const document = `---
date: 2026-11-23
status: draft
type: plan
author: ada
github_issue: 42
---
# Read pages offline

## Overview

Pages that were opened once stay **readable** without a network.

## Phase 1: Store

- [ ] the tests pass
- [ ] a page opens on a plane

\`\`\`ts
await cache.put(page);
\`\`\`
`;

const entries: readonly Entry[] = [
  { type: 'started', skill: 'create-plan', argument: '#42', mode: 'agent', agent: 'sample', at: '' },
  { type: 'issue', issue: { id: 'GH-42', title: 'Read pages without a network' } },
  { type: 'joined', session: 's' },
  { type: 'tool', id: '1', title: 'Read src/cache.ts', status: 'done' },
  { type: 'tool', id: '2', title: 'Search "fetch("', status: 'failed' },
  {
    type: 'said',
    by: 'agent',
    text: 'There are **two** ways:\n\n1. a store by address\n2. a store by content',
  },
  {
    type: 'asked',
    question: {
      id: 'a',
      kind: 'words',
      text: 'Which one?',
      help: '',
      options: [{ id: '1', label: 'by address', detail: '' }],
      offered: '',
      optional: false,
    },
  },
  { type: 'answered', id: 'a', answer: '1' },
  { type: 'drafted', text: document, problems: [] },
  { type: 'said', by: 'agent', text: 'Then this is the draft. The second phase is still missing.' },
  { type: 'spent', input: 12_345, output: 678, cost: 0.0213 },
  {
    type: 'asked',
    question: {
      id: 'b',
      kind: 'words',
      text: 'Should old pages go by themselves?',
      help: 'The document is not complete: The section "## Testing" is missing.',
      options: [
        { id: '1', label: 'yes', detail: 'after 30 days' },
        { id: '2', label: 'no', detail: 'a person clears them' },
        { id: '=keep', label: 'keep it as a draft', detail: '' },
        { id: '=end', label: 'end the conversation', detail: '' },
      ],
      offered: '',
      optional: false,
    },
  },
];

/** A conversation in the middle: tool calls, an answer, a document and an open question. */
export const sampleTalk: Talk = entries.reduce(tell, emptyTalk);
