import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFault } from '../../src/base/fault.ts';
import { parseDependencies } from '../../src/tasks/dependencies.ts';
import type { TaskDefinition } from '../../src/tasks/task.ts';
import { formatTask, parseTask } from '../../src/tasks/task-file.ts';

const definition: TaskDefinition = {
  id: 'task-1',
  iteration: 2,
  title: 'Generate the schema',
  objective: 'One schema.\n\n## not a section\n```\nnor a fence',
  blockedBy: ['task-0', 'init'],
  files: ['src/a.ts', 'docs/b c.md'],
  criteria: ['it validates', 'a | b'],
  run: [{ cmd: 'node gen.js' }, { cmd: ['npm', 'test'], cwd: 'pkg', env: { A: '1' }, timeout_ms: 90_000 }],
  verify: [{ cmd: 'test -s x' }],
  on_steer: [],
  type: 'Sequential',
  role: 'executor',
  replaced_by: ['task-1-a', 'task-1-b'],
  grounded_in: '- Q-TECH-001',
  notes: '# loud\ntext',
  metadata: { cost: 3 },
};
const stamps = {
  createdAt: '2026-02-15T10:15:00+07:00',
  updatedAt: '2026-02-15T10:16:00+07:00',
  inheritedBy: ['task-5'],
};

const dependsOn = (section: string) => parseDependencies(section, {}, 'task-1.md').value.blockedBy;

describe('a task file', () => {
  it('reads back as the task it was made of', () => {
    const { value, problems } = parseTask(formatTask(definition, stamps), 'task-1');
    expect(value.definition).toEqual(definition);
    expect(value.inheritedBy).toEqual(['task-5']);
    expect(value.createdAt).toBe(stamps.createdAt);
    expect(problems).toEqual([]);
  });

  it('has its sections in the order of the session format', () => {
    expect(formatTask(definition, stamps).match(/^##? .*$/gm)).toEqual([
      '# Task: task-1',
      '## Title',
      '## Files',
      '## Objective',
      '## Grounded In',
      '## Success Criteria',
      '## Dependencies',
      '## Notes',
    ]);
  });

  it('takes the name of the file for an id that is missing or could not be a file name', () => {
    expect(parseTask('# Task: x', 'task-7').value.definition.id).toBe('task-7');
    const { value, problems } = parseTask('---\nid: ../../x\n---\n', 'task-7');
    expect(value.definition.id).toBe('task-7');
    expect(formatFault(problems[0] ?? { code: '', what: '' })).toMatch(
      /^task-7\.md:2: id: must start with a letter/,
    );
  });

  it('never runs front matter in another language', () => {
    const { value, problems } = parseTask('---js\nprocess.exit(1)\n---\n## Title\nStill here\n', 'task-1');
    expect(value.definition.title).toBe('Still here');
    expect(problems.map(formatFault)).toEqual([
      'task-1.md:1: front matter written in js is not supported; use plain ---',
    ]);
  });

  it('judges each key of the front matter alone and names its line', () => {
    const { value, problems } = parseTask(
      '---\nid: a\nrun: [{cmd: x, env: {LD_PRELOAD: y}}]\nverify: [ok]\ntimeout: soon\n---\n',
      'a',
    );
    expect(value.definition.verify).toEqual([{ cmd: 'ok' }]);
    expect(value.definition.run).toEqual([]);
    expect(problems.map((it) => it.where).sort()).toEqual(['a.md:3', 'a.md:5']);
  });

  it('takes boxes under Success Criteria for criteria and never for status', () => {
    const text = '## Success Criteria\n- [x] done\n- [ ] open\n  goes on\n1. third\n';
    expect(parseTask(text, 'a').value.definition.criteria).toEqual(['done', 'open goes on', 'third']);
  });

  it('never throws, whatever the bytes', () => {
    const piece = fc.constantFrom(
      '---\n',
      '## Dependencies\n',
      'depends_on: [',
      'id: ',
      '- ',
      '`',
      '\r\n',
      '```\n',
      '# ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'binary' }))), (pieces) => {
        const text = pieces.join('');
        const { value } = parseTask(text, 'a');
        expect(formatTask({ ...value.definition, id: 'a' }, stamps)).toBeTypeOf('string');
      }),
    );
  });
});

describe('the edges of a task', () => {
  it.each([
    ['depends_on: [task-0, "b"]  # a remark', ['task-0', 'b']],
    ['depends_on: []', []],
    ['depends_on: None', []],
    ['None', []],
    ['', []],
    ['depends_on: task-0, task-1 (the schema)', ['task-0', 'task-1']],
    ['- **depends_on**: `task-0`', ['task-0']],
    ['**Depends on:** task-0 and task-1', ['task-0', 'task-1']],
    ['depends_on:\n- task-0\n  - task-1 — first\ninherited_by:\n- task-9', ['task-0', 'task-1']],
    ['- task-0: the schema\n- [ ] task-1', ['task-0', 'task-1']],
    ['blockedBy: [a]\ninherited_by: [b]', ['a']],
    ['depends_on: [task-0]\r\ninherited_by: []\r\n', ['task-0']],
  ])('are read from %j', (section, expected) => {
    expect(dependsOn(section)).toEqual(expected);
  });

  it('may stand in the front matter, and an impossible id is a problem and no edge', () => {
    const { value, problems } = parseDependencies(
      'depends_on: [../../x, ok]',
      { blockedBy: ['a'], depends_on: 'b' },
      't.md',
    );
    expect(value.blockedBy).toEqual(['a', 'b', 'ok']);
    expect(problems.map((it) => it.what)).toEqual(['"../../x" is not a task id and is ignored']);
  });
});
