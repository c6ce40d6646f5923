import { describe, expect, test } from 'vitest';
import { decideSteer, type SteerSubject } from '../../src/agents/steer-tree.ts';

const task = {
  title: 'Export the report',
  objective: 'Build the yearly report as a table.',
  criteria: ['report.csv has twelve rows'],
  files: ['out/report.csv'],
};
const subject = (some: Partial<SteerSubject> = {}): SteerSubject => ({ task, changed: [], ran: [], ...some });
const check = (text: string, verdict: string, evidence: RegExp, some: Partial<SteerSubject> = {}): void => {
  const decided = decideSteer({ text }, subject(some));
  expect(`${text} → ${decided.verdict}`).toBe(`${text} → ${verdict}`);
  expect(decided.evidence).toMatch(evidence);
};

describe('a person who says what to do', () => {
  test('is obeyed, whatever the words say', () => {
    for (const apply of ['restart', 'adjust', 'escalate'] as const) {
      const decided = decideSteer(
        { text: 'report.csv is wrong', apply },
        subject({ changed: ['out/report.csv'] }),
      );
      expect(decided).toEqual({ verdict: apply, evidence: `the sender chose ${apply}` });
    }
  });
});

describe('a message that forbids something that is not the objective', () => {
  test.each(['Please do not add dependencies', 'Do not create new files', 'Never write to the log'])(
    '"%s" only adds a constraint',
    (text) => check(text, 'adjust', /nothing has been done yet/),
  );

  test('redefines when it asks for another thing, too', () =>
    check("Don't build a table, build a chart", 'escalate', /asks for another/));
});

describe('a message that speaks against work already done', () => {
  const done = {
    changed: ['out/report.csv', 'src/old-lib.ts'],
    ran: ['node gen.mjs --library foo', 'npm run build -- --browser chrome'],
  };

  test('restarts the step, and the evidence names the file or the command', () => {
    check(
      'report.csv is wrong, use semicolons',
      'restart',
      /out\/report\.csv, which was already changed/,
      done,
    );
    check('Do not write out/report.csv yet', 'restart', /out\/report\.csv/, done);
    check('drop old-lib, it is slow', 'restart', /src\/old-lib\.ts/, done);
    check(
      "Don't use the 'foo' library, it's deprecated. Use 'bar' instead.",
      'restart',
      /"node gen\.mjs --library foo", which already ran/,
      done,
    );
    check('Use bar instead of foo', 'restart', /gen\.mjs/, done);
    check('Target Firefox only, not Chrome.', 'restart', /--browser chrome/, done);
  });

  test('only adds when the same words come before the work was done', () => {
    check('Use bar instead of foo', 'adjust', /nothing has been done yet/);
    check('report.csv must not be empty', 'adjust', /nothing has been done yet/);
  });

  test('only adds when it names the work without speaking against it', () => {
    check(
      'report.csv also needs a title row',
      'adjust',
      /contradicts neither the 2 changed files and 2 commands/,
      done,
    );
    check('keep foo, and handle the edge case Z', 'adjust', /neither/, done);
  });
});

describe('a message that redefines the task', () => {
  test('escalates', () => {
    check("Don't build the report, build a dashboard instead", 'escalate', /forbids the objective/);
    check('do not build feature A, build feature B instead', 'escalate', /forbids the objective/);
    check('Instead, write a poem about autumn', 'escalate', /has no word in common with the objective/);
    check('New goal: the chart', 'escalate', /it says so/);
    check('Please change the objective to a chart', 'escalate', /it says so/);
  });

  test('does not when it stays with the words of the task', () => {
    check('Build the report with semicolons instead of commas', 'adjust', /nothing has been done yet/);
    check('instead of a table, build the report as a list', 'adjust', /nothing has been done yet/);
  });

  test('does not where there is no task to redefine, unless a person says so', () => {
    expect(decideSteer({ text: 'Instead, write a poem' }, subject({ task: null })).verdict).toBe('adjust');
    expect(decideSteer({ text: 'x', apply: 'escalate' }, subject({ task: null })).verdict).toBe('escalate');
  });
});

describe('any other message', () => {
  test('only adds', () => {
    check('also handle edge case Z', 'adjust', /nothing has been done yet/);
    check('target Firefox only', 'adjust', /nothing has been done yet/);
    check('The team prefers tabs over spaces.', 'adjust', /nothing/);
    check('', 'adjust', /nothing/);
  });

  test('of any length and shape is decided', () => {
    const hostile = `${'not '.repeat(200_000)}${'a'.repeat(200_000)}\u202e\u0000`;
    const decided = decideSteer({ text: hostile }, subject({ changed: ['x.ts'], ran: ['y'] }));
    expect(decided.verdict).toBe('adjust');
    expect(decided.evidence.length).toBeLessThan(200);
  });
});
