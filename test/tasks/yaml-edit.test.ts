import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../src/base/json.ts';
import { editYaml } from '../../src/tasks/yaml-edit.ts';
import { parseYaml } from '../../src/tasks/yaml-text.ts';
import { anyText } from '../helpers/any-text.ts';
import { draws } from '../helpers/test-form.ts';

const theirs = [
  '# mine',
  'version: 7      # a counter',
  "status:   'in_progress'",
  'tasks: {total: 8,completed:  3, mine: [1,2,  3]}',
  'list:',
  '- a',
  '-   b',
  'paused:',
  'orchestrator:',
  '    state: PLANNING',
  '    theirs: {a:   1}',
  '...',
  '',
].join('\n');

describe('editing YAML in place', () => {
  it('changes the values that change, and every other byte stays', () => {
    const changes = {
      version: 8,
      status: 'completed: yes, # all',
      tasks: { completed: 4 },
      paused: 'by kim',
      orchestrator: { state: 'BATCHING' },
    };
    expect(editYaml(theirs, changes)).toBe(
      theirs
        .replace('version: 7', 'version: 8')
        .replace("'in_progress'", '"completed: yes, # all"')
        .replace('completed:  3', 'completed:  4')
        .replace('paused:', 'paused: by kim')
        .replace('PLANNING', 'BATCHING'),
    );
  });

  it('keeps line breaks of Windows and a file without a last one', () => {
    expect(editYaml('a: 1\r\nb:  2\r\n', { a: 5 })).toBe('a: 5\r\nb:  2\r\n');
    expect(editYaml('a: 1\nb:  2', { b: 3 })).toBe('a: 1\nb:  3');
  });

  it('writes anew what a tag of the whole turns into something else', () => {
    expect(editYaml('!!float \nid: 1\n', { id: '' })).toBe('id: ""\n');
  });

  it('says afterwards what it was told to say, whatever stood there and wherever it stood', () => {
    // Of one line, as all values are that the program sets.
    const line = anyText.map((text) => text.replaceAll(/[\r\n]+/g, ' '));
    const value = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string(), line);
    const changes = fc.dictionary(fc.constantFrom('id', 'type', 'message', 'a', 'tasks', 'goal'), value, {
      maxKeys: 4,
    });
    fc.assert(
      fc.property(anyText, changes, (text, wanted) => {
        const edited = parseYaml(editYaml(text, wanted), '').value.value;
        const well = Object.entries(wanted).map(([key, it]) => [
          key,
          typeof it === 'string' ? it.toWellFormed() : it,
        ]);
        if (well.every(([, it]) => typeof it !== 'string' || !/[\u0000\r\u2028\ufeff\ufffd]/.test(it)))
          expect(isRecord(edited) ? edited : {}).toMatchObject(Object.fromEntries(well));
      }),
      draws(2_000),
    );
  });

  it('writes anew what the printer would make another key of', () => {
    const edited = editYaml('!!float tasks:\nother: 1\n', { tasks: 'x', id: 0 });
    expect(parseYaml(edited, '').value.value).toEqual({ tasks: 'x', other: 1, id: 0 });
  });

  it('leaves what it is not told about as it was', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 100, max: 999 }), (rest, version) => {
        const text = `version: 7\n${rest}`;
        const before = parseYaml(text, '');
        if (before.problems.length > 0 || !isRecord(before.value.value)) return;
        if (before.value.value['version'] !== 7) return;
        const edited = editYaml(text, { version });
        expect(parseYaml(edited, '').value.value).toEqual({ ...before.value.value, version });
        if (!text.startsWith('\ufeff'))
          expect(edited).toBe(text.replace('version: 7', `version: ${version}`));
      }),
      draws(2_000),
    );
  });
});

it('keeps every other byte when keys of the whole map come and go', () => {
  const text = 'a:   1 # odd\nlist: {x: [1, 2]}\nmap:\n  b: 1\n\n  c: 2\n\n# about d\nd: x\n';
  expect(editYaml(text, { map: undefined })).toBe('a:   1 # odd\nlist: {x: [1, 2]}\n\n# about d\nd: x\n');
  const added = editYaml(text, { lock: { since: 'now' } });
  expect(added).toBe(`${text}lock:\n  since: now\n`);
  expect(editYaml(added, { lock: undefined, a: 2 })).toBe(text.replace('1 # odd', '2 # odd'));
});
