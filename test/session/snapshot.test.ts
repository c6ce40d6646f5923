import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { layoutName } from '../../src/session/layout.ts';
import { readSessions, sessionNames } from '../../src/session/session-list.ts';
import { readSession } from '../../src/session/snapshot.ts';
import { sessionFixture, type sessionFixtures } from '../helpers/session-fixture.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const open = (name: keyof typeof sessionFixtures) => {
  const { workspace, session } = sessionFixture(name);
  return { workspace, ...readSession(createDisk(), workspace, session) };
};

const statuses = (tasks: readonly { id: string; status: string }[]) =>
  tasks.map(({ id, status }) => `${id} ${status}`);

describe('a session of the prompt agents', () => {
  it('opens in layout 2.2 with state, tasks, attempts and reports', () => {
    const { value, problems } = open('v2.2');
    expect(layoutName(value.layout)).toBe('Ralph v2 (2.2)');
    expect(value.layout.writable).toBe(true);
    expect([value.state, value.status, value.iteration]).toEqual(['EXECUTING_BATCH', 'in_progress', 2]);
    expect(value.goal).toBe('Make the contact form accept empty optional fields.');
    expect(statuses(value.tasks)).toEqual(['task-1 done', 'task-2 running', 'task-3 open']);
    expect(value.tasks[0]?.iteration).toBe(1);
    expect(value.tasks[1]?.attempt).toBe(2);
    expect(value.tasks[1]?.reports.map(({ attempt, file }) => [attempt, file.split('/').at(-2)])).toEqual([
      [1, 'reports'],
      [2, '2'],
    ]);
    expect(value.tasks[2]?.definition?.blockedBy).toEqual(['task-1', 'task-2']);
    expect(value.tasks[2]?.definition?.type).toBe('Sequential');
    expect(value.tasks[2]?.definition?.files).toEqual(['src/contact-3.ts']);
    expect(value.tasks[2]?.definition?.criteria).toEqual(['Criterion one of 3', 'Criterion two of 3']);
    expect(value.planItems.get('plan-rebreakdown')).toBe('done');
    expect(value.iterations.map((it) => it.planning_complete)).toEqual([true, true]);
    expect(value.signals).toEqual(['inputs', 'processed']);
    expect(problems).toEqual([]);
  });

  it('opens in layout 2.3 with quoted scalars, the state at the root, CRLF and a byte order mark', () => {
    const { value, problems } = open('v2.3');
    expect(layoutName(value.layout)).toBe('Ralph v2 (2.3+)');
    expect(value.layout.writable).toBe(false);
    expect([value.state, value.status, value.iteration]).toEqual(['COMPLETE', 'completed', 1]);
    expect(value.metadata?.version).toBe(5);
    expect(statuses(value.tasks)).toEqual(['task-1 done']);
    expect(value.tasks[0]?.definition?.title).toBe('the only one');
    expect(problems).toEqual([]);
  });

  it('opens in layout 2.6 and says which marker it does not know', () => {
    const { value, problems } = open('v2.6');
    expect(layoutName(value.layout)).toBe('Ralph v2 (2.6+)');
    expect([value.state, value.status]).toEqual(['KNOWLEDGE_APPROVAL', 'awaiting_feedback']);
    expect(statuses(value.tasks)).toEqual(['task-1 review']);
    expect(problems.map((it) => it.what)).toContain(
      'the marker of task-2 is not one of [ ] [/] [P] [x] [F] [C]',
    );
  });

  it('opens in layout 2.0 with tasks, progress and reports at the root of the session', () => {
    const { value } = open('v2.0');
    expect(layoutName(value.layout)).toBe('Ralph v2 (2.0-2.1)');
    expect([value.state, value.goal]).toEqual(['REVIEWING_BATCH', 'Port the parser']);
    expect(statuses(value.tasks)).toEqual(['task-1 review', 'task-2 open']);
    expect(value.tasks[0]?.definition?.blockedBy).toEqual([]);
    expect(value.tasks[1]?.definition?.blockedBy).toEqual(['task-1']);
    expect(value.tasks[0]?.reports).toHaveLength(1);
  });

  it('opens in layout v1 with everything in one tasks.md, and infers the state', () => {
    const { value, problems } = open('v1');
    expect(layoutName(value.layout)).toBe('Ralph v1');
    expect([value.state, value.goal]).toEqual(['EXECUTING_BATCH', 'A guide that a newcomer can follow.']);
    expect(statuses(value.tasks)).toEqual(['task-1 done', 'task-2 running']);
    expect(value.tasks[1]?.definition).toMatchObject({
      title: 'Write the text',
      blockedBy: ['task-1'],
      files: ['docs/guide.md', 'docs/img.png'],
      criteria: ['Every heading has text', 'No TODO is left'],
    });
    expect(value.tasks[0]?.reports).toHaveLength(1);
    expect(problems).toEqual([]);
  });
});

describe('a damaged session', () => {
  it('shows what is left when files are links, directories or missing', () => {
    const workspace = tempDir();
    const directory = join(workspace, '.ralph-sessions', '260101-000000');
    mkdirSync(join(directory, 'iterations', '1', 'tasks', 'task-2.md'), { recursive: true });
    mkdirSync(join(directory, 'iterations', '1', 'progress.md'));
    writeFileSync(
      join(directory, 'iterations', '1', 'tasks', 'task-1.md'),
      '---js\nprocess.exit(1)\n---\n# Task: one\n',
    );
    symlinkSync('/etc/passwd', join(directory, 'metadata.yaml'));
    const { value, problems } = readSession(createDisk(), workspace, '260101-000000');
    expect(value.tasks.map((it) => it.definition?.title)).toEqual(['one']);
    expect(value.state).toBe(null);
    expect(problems.map((it) => it.what)).toEqual([
      'is a symbolic link, which is not followed',
      'is a directory',
      'front matter written in js is not supported',
      'is a directory',
    ]);
  });

  it('is an empty one when nothing is there', () => {
    const { value, problems } = readSession(createDisk(), tempDir(), '260101-000000');
    expect(value.tasks).toEqual([]);
    expect(value.layout.layout).toBe('unknown');
    expect(problems).toEqual([]);
  });
});

describe('the list of sessions', () => {
  it('names every session, newest first, and leaves out what is none', () => {
    const { workspace } = sessionFixture('v2.2');
    const root = join(workspace, '.ralph-sessions');
    mkdirSync(join(root, '260301-000000'));
    mkdirSync(join(root, 'not-a-session'));
    writeFileSync(join(root, '260302-000000'), 'a file');
    const { value, problems } = readSessions(createDisk(), workspace);
    expect(sessionNames(createDisk(), workspace)).toEqual(['260215-101500', '260301-000000']);
    expect(value.map((it) => it.session)).toEqual(['260301-000000', '260215-101500']);
    expect(value[1]).toMatchObject({ state: 'EXECUTING_BATCH', tasks: { done: 1, total: 3 } });
    expect(value[1]?.changedMs).toBeGreaterThan(0);
    expect(problems).toHaveLength(1);
  });

  it('is empty in a workspace without sessions', () => {
    expect(readSessions(createDisk(), tempDir())).toEqual({ value: [], problems: [] });
    expect(sessionNames(createDisk(), tempDir())).toEqual([]);
  });

  it('are none where only a file or another directory stands in their place', () => {
    const workspace = tempDir();
    mkdirSync(join(workspace, '.ralph-sessions', 'notes'), { recursive: true });
    writeFileSync(join(workspace, '.ralph-sessions', '260215-101500'), '');
    expect(sessionNames(createDisk(), workspace)).toEqual([]);
  });
});
