import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editIteration, formatIteration, parseIteration } from '../../src/session/iteration-file.ts';
import {
  editMetadata,
  formatMetadata,
  handEdits,
  type Metadata,
  parseMetadata,
  reprintMetadata,
} from '../../src/session/metadata-file.ts';

const metadata: Metadata = {
  version: 7,
  session_id: '260215-101500',
  created_at: '2026-02-15T10:15:00+07:00',
  updated_at: '2026-02-15T10:31:12+07:00',
  status: 'in_progress',
  iteration: 1,
  orchestrator: {
    state: 'EXECUTING_BATCH',
    current_wave: 2,
    previous_state: 'BATCHING',
    paused: { since: '2026-02-15T10:31:12+07:00', signal: null, by: 'kim' },
    deadline: null,
    stop_reason: null,
  },
  tasks: { total: 8, completed: 3, failed: 0, pending: 5, cancelled: 0 },
  journal_seq: 412,
};

describe('metadata.yaml', () => {
  it('reads back as it was written, timestamps as texts', () => {
    const { value, problems } = parseMetadata(formatMetadata(metadata));
    expect(problems).toEqual([]);
    expect(value).toMatchObject({
      version: 7,
      session_id: '260215-101500',
      updated_at: '2026-02-15T10:31:12+07:00',
      state: 'EXECUTING_BATCH',
      previous_state: 'BATCHING',
      current_wave: 2,
      paused: { by: 'kim', signal: null },
      tasks: metadata.tasks,
      journal_seq: 412,
    });
  });

  it('is known as all ours only where nothing of anybody else stands in it', () => {
    const ours = formatMetadata(metadata);
    const reprinted = (text: string): string | null => reprintMetadata(parseMetadata(text).value);
    expect(reprinted(ours)).toBe(ours);
    for (const theirs of [
      `# a note\n${ours}`,
      `${ours}mood: calm\n`,
      ours.replace('version: 7', 'version: 7 # mine'),
      ours.replace('  state:', '  mood: calm\n  state:'),
      ours.replace('journal_seq: 412\n', ''),
      '',
    ])
      expect(reprinted(theirs)).not.toBe(theirs);
  });

  it('keeps comments and keys of other programs when it is rewritten', () => {
    const text =
      '# by the orchestrator\nversion: 3 # counter\nsession_id: 260215-101500\nhost: vscode\norchestrator:\n  state: PLANNING\n  mood: calm\n';
    const edited = editMetadata(text, metadata);
    for (const kept of [
      '# by the orchestrator\n',
      'version: 7 # counter\n',
      'host: vscode\n',
      '  mood: calm\n',
    ]) {
      expect(edited).toContain(kept);
    }
    expect(parseMetadata(edited).value.state).toBe('EXECUTING_BATCH');
    expect(editMetadata(edited, metadata)).toBe(edited);
  });

  it('reads what real agents have written', () => {
    const { value, problems } = parseMetadata(
      'version: "3"\nstate: completed\nstatus: In Progress\niteration: "2"\n',
    );
    expect(value).toMatchObject({ version: 3, state: 'COMPLETE', status: 'in_progress', iteration: 2 });
    expect(problems).toEqual([]);
    expect(parseMetadata('orchestrator: {state: curate}').value.state).toBe('KNOWLEDGE_APPROVAL');
  });

  it('says which line holds a state it does not know', () => {
    const { value, problems } = parseMetadata('version: 1\norchestrator:\n  state: DREAMING\n');
    expect(value.state).toBe(null);
    expect(problems).toEqual([
      {
        code: 'metadata-value',
        what: 'orchestrator.state: "DREAMING" is not a known state',
        where: 'metadata.yaml:3',
      },
    ]);
  });

  it('names each key that a person changed and no other', () => {
    const written = formatMetadata(metadata);
    const found = written
      .replace('state: EXECUTING_BATCH', 'state: "BATCHING"')
      .replace('iteration: 1', 'iteration: 2 # mine');
    expect(handEdits(written, found)).toEqual([
      { key: 'iteration', value: 2 },
      { key: 'orchestrator.state', value: 'BATCHING' },
    ]);
    expect(handEdits(written, `# only a comment\n${written}`)).toEqual([]);
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.jsonValue().map((it) => JSON.stringify(it)),
        ),
        (text) => {
          expect(parseMetadata(editMetadata(text, metadata)).value.journal_seq).toBe(412);
          parseMetadata(text);
          parseIteration(text, 1);
        },
      ),
    );
  });
});

describe('the metadata of an iteration', () => {
  it('reads back, and a truth value that was quoted is one', () => {
    const iteration = {
      version: 1,
      iteration: 2,
      started_at: 'a',
      planning_complete: true,
      planning_completed_at: 'b',
      completed_at: null,
      tasks_defined: 3,
    };
    expect(parseIteration(formatIteration(iteration), 2)).toEqual({ value: iteration, problems: [] });
    expect(parseIteration('planning_complete: "true"', 4).value).toMatchObject({
      iteration: 4,
      planning_complete: true,
    });
    expect(editIteration('mine: 1\n', iteration)).toContain('mine: 1\n');
  });
});
