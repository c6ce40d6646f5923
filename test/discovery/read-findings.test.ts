import { describe, expect, test } from 'vitest';
import { parseFindings } from '../../src/discovery/records/read-findings.ts';

const read = (text: string) =>
  parseFindings(text, {
    source: 'explorer-memory',
    projectDir: '/work/project',
    exists: (file) => file === 'src/a.ts',
  }).value;

const record =
  '{"id":"x-1","severity":"high","category":"memory","description":"Do not touch","file":"src/a.ts"}';

describe('records of other programs', () => {
  test.each([
    {
      form: 'one a line',
      text: `${record}\n${record.replace('x-1', 'x-2')}`,
      ids: ['x-1', 'x-2'],
      errors: 0,
    },
    {
      form: 'an array',
      text: `[${record}, ${record.replace('x-1', 'x-2')}]`,
      ids: ['x-1', 'x-2'],
      errors: 0,
    },
    { form: 'a wrapper object', text: `{"constraints": [${record}]}`, ids: ['x-1'], errors: 0 },
    {
      form: 'a code fence with prose',
      text: `Here it is:\n\`\`\`json\n${record}\n\`\`\`\nDone, {path} too.`,
      ids: ['x-1'],
      errors: 0,
    },
    { form: 'trailing commas', text: `[${record.replace('}', ',}')},]`, ids: ['x-1'], errors: 0 },
    { form: 'pretty printed', text: JSON.stringify(JSON.parse(record), null, 2), ids: ['x-1'], errors: 0 },
    {
      form: 'a cut record between whole ones',
      text: `${record}\n{"id":"cut","descr\n${record.replace('x-1', 'x-2')}`,
      ids: ['x-1', 'x-2'],
      errors: 1,
    },
    { form: 'a record without words', text: `{"id":"empty"}\n${record}`, ids: ['x-1'], errors: 1 },
    { form: 'prose only', text: 'I found nothing worth a "constraint".', ids: [], errors: 0 },
    {
      form: 'metadata and busywork lines',
      text: `{"_type":"metadata"}\n${record}\n{"_type":"busywork","id":"b"}`,
      ids: ['x-1'],
      errors: 0,
    },
  ])('as $form', ({ text, ids, errors }) => {
    const { findings, parseErrors } = read(text);
    expect({ ids: findings.map(({ id }) => id), parseErrors }).toEqual({ ids, parseErrors: errors });
  });

  test.each([
    {
      form: 'a line that is no JSON, a list and a record without words',
      text: 'not json\n[]\n{"id":1}\n',
      errors: 3,
    },
    { form: 'a sentence between two records', text: `${record}\nand then\n${record}`, errors: 1 },
    { form: 'a list over several lines', text: `[\n${record},\n${record}\n]\n`, errors: 0 },
    { form: 'an empty list', text: '[]\n', errors: 0 },
    { form: 'a fence', text: `\`\`\`json\n${record}\n\`\`\`\n`, errors: 0 },
    { form: 'nothing', text: '\n', errors: 0 },
  ])('count each line of a file that is none: $form', ({ text, errors }) => {
    const reader = { source: 'added', projectDir: '/work/project', exists: () => false, onlyRecords: true };
    expect(parseFindings(text, reader).value.parseErrors).toBe(errors);
  });

  test('are read with the names of older versions', () => {
    const [first] = read(
      '{"constraint_id":"hardcoded-001","severity":"HIGH","description":"d","source_file":"./src/a.ts","source_line":"12","category":"Paths"}',
    ).findings;
    expect(first).toMatchObject({
      id: 'hardcoded-001',
      severity: 'high',
      file: 'src/a.ts',
      line: 12,
      category: 'paths',
    });
  });

  test.each([['"severe"'], ['null'], ['7']])(
    'with the severity %s count as medium and say so',
    (severity) => {
      expect(read(`{"description":"d","severity":${severity}}`).findings).toMatchObject([
        { severity: 'medium', invalid_severity: true },
      ]);
    },
  );

  test('without an id get the same one each time', () => {
    const ids = [1, 2].map(() => read('{"description":"d","category":"c","line":4}').findings[0]?.id);
    expect(ids[0]).toMatch(/^c-[0-9a-f]{8}$/);
    expect(ids[1]).toBe(ids[0]);
  });

  test.each([
    { place: 'a file that exists', fields: '"file":"src/a.ts"', confidence: 0.8, file: 'src/a.ts' },
    {
      place: 'the same as an absolute path',
      fields: '"file":"/work/project/src/a.ts"',
      confidence: 0.8,
      file: 'src/a.ts',
    },
    { place: 'a file that does not exist', fields: '"file":"src/b.ts"', confidence: 0.5, file: 'src/b.ts' },
    { place: 'no file', fields: '"line":3', confidence: 0.4, file: null },
    { place: 'a path out of the project', fields: '"file":"../../etc/passwd"', confidence: 0.4, file: null },
    {
      place: 'a stated confidence',
      fields: '"file":"src/a.ts","confidence":0.5',
      confidence: 0.4,
      file: 'src/a.ts',
    },
    {
      place: 'a confidence beyond 1',
      fields: '"file":"src/a.ts","confidence":9',
      confidence: 0.8,
      file: 'src/a.ts',
    },
    {
      place: 'a negative confidence',
      fields: '"file":"src/a.ts","confidence":-1',
      confidence: 0,
      file: 'src/a.ts',
    },
  ])('with $place have the confidence $confidence', ({ fields, confidence, file }) => {
    expect(read(`{"description":"d",${fields}}`).findings).toMatchObject([{ confidence, file }]);
  });

  test('cannot speak for the scanner', () => {
    const { findings } = parseFindings(
      '{"description":"d","source":"scanner"}\n{"description":"e","agent_id":"kim"}',
      {
        source: 'added',
        ownNames: true,
        projectDir: '/work',
        exists: () => false,
      },
    ).value;
    expect(findings.map(({ source }) => source)).toEqual(['added', 'kim']);
  });
});
