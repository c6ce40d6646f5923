import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { formatFault } from '../../src/base/fault.ts';
import {
  type Feedback,
  formatFeedback,
  parseFeedback,
  readUnprocessedFeedback,
} from '../../src/session/feedback.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { sessionFixture } from '../helpers/session-fixture.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const feedback: Feedback & { iteration: number; timestamp: string } = {
  iteration: 2,
  timestamp: '2026-02-15T10:55:00+07:00',
  previous_iteration: 1,
  critical: [{ id: 'ISS-001', text: 'Empty phone gives 500', evidence: 'app.log', fix: 'accept null' }],
  quality: [{ id: 'Q-001', text: 'Label is cut', evidence: '', fix: '' }],
  requirements: ['Dark mode'],
  artifacts: [{ file: 'app.log', description: 'server | log' }],
  other: 'In general fine.',
};

describe('feedbacks.md', () => {
  it('reads back as it was written', () => {
    expect(parseFeedback(formatFeedback(feedback))).toEqual({ value: feedback, problems: [] });
  });

  it('is read with issues as headings, as the Ralph template has them', () => {
    const { workspace, session } = sessionFixture('v2.2');
    const { value, problems } = readUnprocessedFeedback(createDisk(), sessionPaths(workspace, session), 1);
    expect(problems).toEqual([]);
    expect(value[0]?.feedback.critical).toEqual(
      [
        {
          id: 'ISS-001',
          text: 'Empty phone gives 500',
          evidence: '`app.log`\n- File: `app.log`, Lines: 45-60',
          fix: 'accept null',
        },
      ].map((it) => expect.objectContaining({ id: it.id, evidence: it.evidence, fix: it.fix })),
    );
    expect(value[0]?.feedback.quality.map((it) => it.id)).toEqual(['Q-001']);
    expect(value[0]?.feedback.requirements[0]).toMatch(/^REQ-001: Dark mode/);
    expect(value[0]?.feedback.artifacts).toEqual([{ file: 'app.log', description: 'Server error logs' }]);
  });

  it('gives an id to an issue a person wrote without one', () => {
    const { critical } = parseFeedback(
      '## Critical Issues\n- [ ] it crashes\n  - Evidence: log\n- **ISS-9**: slow\n',
    ).value;
    expect(critical).toEqual([
      { id: 'ISS-001', text: 'it crashes', evidence: 'log', fix: '' },
      { id: 'ISS-9', text: 'slow', evidence: '', fix: '' },
    ]);
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        parseFeedback(text);
        parseFeedback(
          `## Critical Issues\n- **ISS-1**: ${text}\n## Quality Issues\n${text}\n## Artifacts Index\n| ${text}`,
        );
      }),
    );
  });
});

describe('feedback that is not yet processed', () => {
  const setUp = (files: Readonly<Record<string, string>>) => {
    const paths = sessionPaths(tempDir(), '260215-101500');
    for (const [name, text] of Object.entries(files)) {
      const directory = join(paths.iteration(2).feedbacks, name);
      mkdirSync(directory, { recursive: true });
      if (text !== '-') writeFileSync(join(directory, 'feedbacks.md'), text);
    }
    const { value, problems } = readUnprocessedFeedback(createDisk(), paths, 1);
    return { names: value.map((it) => it.directory.split('/').at(-1)), sentences: problems.map(formatFault) };
  };

  it('is whole and for the next iteration; what is not is said and waits', () => {
    const { names, sentences } = setUp({
      '20260215-105500': formatFeedback(feedback),
      '20260215-105400': 'Just words from a person.',
      '20260215-105600': '-',
      '20260215-105700': '---\niteration: 2\n---\n# Feedback\n',
      '20260215-105800': '---\niteration: 7\n---\n## New Requirements\n- x\n',
      '20260215-105900': '---\niteration: [\n---\n## New Requirements\n- x\n',
      notes: 'not a feedback directory',
    });
    expect(names).toEqual(['20260215-105400', '20260215-105500']);
    expect(sentences).toHaveLength(3);
    expect(sentences.join('\n')).toMatch(
      /says nothing yet[\s\S]*is for iteration 7, but the next one is 2[\s\S]*flow sequence/,
    );
  });

  it('is none where nobody wrote any', () => {
    expect(setUp({})).toEqual({ names: [], sentences: [] });
  });
});
