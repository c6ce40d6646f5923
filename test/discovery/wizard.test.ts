import { describe, expect, test } from 'vitest';
import { avoidOptions, avoidQuestion, preferOptions } from '../../src/discovery/wizard/options.ts';
import { noGuidance } from '../../src/session/guidance/guidance.ts';
import { ownWords, resultLines, wizardResult } from '../../src/session/guidance/wizard-choices.ts';
import { finding } from '../helpers/findings.ts';

const skipped = { avoid: null, avoidWords: null, prefer: null, preferWords: null };
const stored = {
  ...noGuidance,
  forbidden: ['Docs', { path: 'gen/**' }],
  encouraged: ['Speed'],
  constraint_ids: ['a-1'],
};

describe('what can be avoided', () => {
  const findings = [
    finding({ id: 'a-1', severity: 'critical', description: 'x'.repeat(90) }),
    finding({ id: 'b-2', severity: 'high', description: 'Path \u001b[31mred' }),
    finding({ id: 'c-3', severity: 'low' }),
  ];

  test('is findings by severity, then ten kinds of busywork', () => {
    const options = avoidOptions(findings, new Map());
    expect(options.map(({ severity }) => severity).slice(0, 4)).toEqual(['critical', 'high', 'low', null]);
    expect(options).toHaveLength(13);
    expect(options[0]?.label).toHaveLength(60);
    expect(options[1]).toMatchObject({
      label: 'Path red',
      detail: '(HIGH) config.toml:3 [scanner] Use an environment variable',
    });
    expect(options[1]?.phrase).toBe(
      'Writing paths that exist on only one machine, such as /Users/zed/, into files',
    );
    expect(avoidQuestion(findings, new Map())).toBe(
      'What should the agents avoid? (1 critical, 1 high detected)',
    );
  });

  test('leaves out what was acknowledged, until it is more severe', () => {
    const seen = new Map([
      ['a-1', { id: 'a-1', severity: 'high' as const, at: 'x' }],
      ['b-2', { id: 'b-2', severity: 'high' as const, at: 'x' }],
    ]);
    expect(
      avoidOptions(findings, seen)
        .filter(({ severity }) => severity !== 'low')
        .slice(0, 2)
        .map(({ id }) => id),
    ).toEqual(['a-1', 'busywork-lint']);
  });
});

describe('what the choices come to', () => {
  test('is what was, when every step is skipped', () => {
    expect(wizardResult(stored, skipped)).toEqual({
      guidance: stored,
      chosen: [],
      conflicts: [],
      dropped: [],
    });
  });

  test('is the new choice with the enforced items of before; forbidding wins and is said', () => {
    const found = finding({ id: 'b-2', conflicts_with: ['c-3'] });
    const options = avoidOptions([found], new Map());
    const result = wizardResult(stored, {
      ...skipped,
      avoid: options.slice(0, 1),
      avoidWords: ['command:git push', 'speed'],
      prefer: preferOptions.slice(2, 3),
      preferWords: ['Speed'],
    });
    expect(result).toEqual({
      guidance: {
        forbidden: [
          'Writing paths that exist on only one machine, such as /Users/zed/, into files',
          { path: 'gen/**' },
          { command: 'git push' },
          'speed',
        ],
        encouraged: ['Bug fixes'],
        timestamp: null,
        constraint_ids: ['b-2'],
      },
      chosen: options.slice(0, 1),
      conflicts: [
        'Speed is also forbidden, which takes precedence',
        'b-2 contradicts c-3: look at both recommendations',
      ],
      dropped: ['Docs'],
    });
    expect(resultLines(result)).toContain('No longer:');
  });

  test('adds own words to what was when only they were given', () => {
    const { guidance } = wizardResult(stored, { ...skipped, avoidWords: ['More'] });
    expect(guidance.forbidden).toEqual(['Docs', { path: 'gen/**' }, 'More']);
  });
});

test('own words are separated by commas', () => {
  expect(ownWords(' Refactor DB, ,path:gen/** ')).toEqual(['Refactor DB', 'path:gen/**']);
});
