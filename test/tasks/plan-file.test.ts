import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFault } from '../../src/base/fault.ts';
import { formatPlan, type Plan, parsePlan } from '../../src/tasks/plan-file.ts';
import type { Command, TaskDefinition } from '../../src/tasks/task.ts';
import { processorTime } from '../helpers/processor-time.ts';

/** The sentences a person reads about a plan that is refused. */
const faultsOf = (text: string): readonly string[] => {
  const checked = parsePlan(text, 'plan.yaml');
  return checked.ok ? [] : checked.faults.map(formatFault);
};

const planOf = (text: string): Plan => {
  const checked = parsePlan(text, 'plan.yaml');
  if (!checked.ok) throw new Error(checked.faults.map(formatFault).join('\n'));
  const { line: _, ...plan } = checked.value;
  return plan;
};

const withTask = (lines: string): string => `goal: Ship it\ntasks:\n  - title: One\n    id: one\n${lines}`;

describe('a plan', () => {
  it('is read as the documentation shows it', () => {
    const plan = planOf(`goal: Ship the greeting service
tasks:
  - {id: init, title: Begin}
  - id: schema
    title: Generate the schema
    objective: One JSON schema for all greetings.
    blockedBy: [init]
    files: [src/schema.json]
    criteria: ["schema.json validates"]
    run:
      - node tools/gen.js
      - {cmd: [npm, run, build], cwd: pkg, env: {MODE: fast}, timeout: 60s}
    verify: [test -s src/schema.json]
    on_steer: [node tools/gen.js --again]
    type: Sequential
    role: executor
settings: {retries: {max_attempts: 2}}
`);
    expect(plan.goal).toBe('Ship the greeting service');
    expect(plan.settings).toEqual({ retries: { max_attempts: 2 } });
    expect(plan.tasks[1]).toMatchObject({
      id: 'schema',
      iteration: 1,
      blockedBy: ['init'],
      run: [
        { cmd: 'node tools/gen.js' },
        { cmd: ['npm', 'run', 'build'], cwd: 'pkg', env: { MODE: 'fast' }, timeout_ms: 60_000 },
      ],
      on_steer: [{ cmd: 'node tools/gen.js --again' }],
      type: 'Sequential',
    });
    expect(plan.tasks[0]?.on_steer).toBe(null);
  });

  it('may be JSON, also with tabs, and gives ids by position', () => {
    const text =
      '{\n\t"goal": "x",\n\t"tasks": [\n\t\t{"title": "a"},\n\t\t{"title": "b", "blockedBy": ["task-1"]}\n\t]\n}';
    expect(planOf(text).tasks.map(({ id, blockedBy }) => [id, blockedBy])).toEqual([
      ['task-1', []],
      ['task-2', ['task-1']],
    ]);
  });

  it('reads back as the same plan after it was printed', () => {
    const text = fc
      .string({ minLength: 1 })
      .map((it) => it.trim())
      .filter((it) => it !== '');
    const command: fc.Arbitrary<Command> = fc.oneof(
      text.map((cmd) => ({ cmd })),
      fc.array(text, { minLength: 1, maxLength: 3 }).map((cmd) => ({ cmd })),
      fc.record({
        cmd: text,
        cwd: fc.constant('pkg'),
        env: fc.constant({ A: '1' }),
        timeout_ms: fc.integer({ min: 1, max: 9e6 }),
      }),
    );
    const task = (index: number): fc.Arbitrary<TaskDefinition> =>
      fc.record({
        id: fc.constant(`t${index}`),
        iteration: fc.constant(1),
        title: text,
        objective: fc.string(),
        blockedBy: index === 0 ? fc.constant([]) : fc.uniqueArray(fc.nat(index - 1).map((it) => `t${it}`)),
        files: fc.constantFrom([], ['src/a b.ts', '.']),
        criteria: fc.array(fc.string()),
        run: fc.array(command, { maxLength: 2 }),
        verify: fc.array(command, { maxLength: 2 }),
        on_steer: fc.option(fc.array(command, { maxLength: 2 })),
        type: fc.constantFrom('Parallelizable', 'Sequential'),
        role: fc.constantFrom('executor', 'writer'),
        replaced_by: fc.constant([]),
        grounded_in: fc.string(),
        notes: fc.string(),
      });
    const plans = fc.record({
      goal: text,
      tasks: fc.tuple(task(0), task(1), task(2)),
      settings: fc.constantFrom({}, { commit: true, timeouts: { stall: '5m' } }),
    });
    fc.assert(
      fc.property(plans, (plan) => {
        expect(planOf(formatPlan(plan))).toEqual(plan);
      }),
    );
  });
});

describe('a plan that is refused', () => {
  it('names the nearest key for one it does not know', () => {
    expect(faultsOf(withTask('    blocked_by: []'))[0]).toMatch(
      /^plan.yaml:5: tasks\[1\]\.blocked_by: did you mean blockedBy\?; known keys: id, title/,
    );
    expect(faultsOf(withTask('    depends: []'))[0]).toMatch(/is not a known key/);
    expect(faultsOf(withTask('    verfiy: x'))[0]).toMatch(/did you mean verify\?/);
    expect(faultsOf('gaol: x\ntasks: [{title: a}]')[1]).toMatch(/gaol: did you mean goal\?/);
  });

  it('shows a key as it is when something in it cannot be seen', () => {
    expect(faultsOf('\rgoal: x\ntasks: [{title: a}]')).toContainEqual(
      expect.stringContaining('"\\rgoal": did you mean goal?'),
    );
    expect(faultsOf('go\u200bal: x\ntasks: [{title: a}]')).toContainEqual(
      expect.stringContaining('"go\\u200bal": did you mean goal?'),
    );
  });

  it('says what is allowed, with file, line and field', () => {
    expect(faultsOf(withTask('    type: sequential'))).toEqual([
      'plan.yaml:5: tasks[1].type: must be one of Parallelizable, Sequential',
    ]);
    expect(faultsOf('tasks: []')).toEqual([
      'plan.yaml:1: goal: is required (text)',
      'plan.yaml:1: tasks: must not be empty',
    ]);
    expect(faultsOf(withTask('    run: [{cmd: x, timeout: soon}]'))[0]).toMatch(
      /timeout: must be a duration such as 60s, 5m or 24h$/,
    );
    expect(faultsOf(withTask('    run: [7]'))[0]).toBe(
      'plan.yaml:5: tasks[1].run[1]: must be text or a list or a map, not a number',
    );
  });

  it.each(['../../x', '-rf', 'a b', 'x'.repeat(65), '', '.', '__proto__'])('has the task id %j', (id) => {
    expect(faultsOf(`goal: x\ntasks: [{title: a, id: ${JSON.stringify(id)}}]`)[0]).toMatch(
      /id: must start with a letter/,
    );
  });

  it('names a blocker that is the task itself, one that no task has, and every member of a circle', () => {
    expect(faultsOf(withTask('    blockedBy: [one]'))[0]).toBe(
      'plan.yaml:5: tasks[1].blockedBy[1]: one names itself; remove one from blockedBy',
    );
    expect(faultsOf(withTask('    blockedBy: [ghost]'))[0]).toMatch(
      /one names ghost, which is not a task in this plan/,
    );
    const circle =
      'goal: x\ntasks:\n- {title: a, id: a, blockedBy: [c]}\n- {title: b, id: b, blockedBy: [a]}\n- {title: c, id: c, blockedBy: [b]}';
    expect(faultsOf(circle)).toEqual([
      'plan.yaml:3: tasks[1].blockedBy[1]: tasks wait for each other: a → c → b → a; remove c from blockedBy of a, or remove another edge of this cycle',
    ]);
  });

  it('holds several cycles over the same tasks: one is named, and the edge that breaks it', () => {
    // Two cycles share a: a ⇄ b, and a → c → d → a. The members a, b, c, d in a row are no cycle.
    const two =
      'goal: x\ntasks:\n- {title: a, id: a, blockedBy: [c, b]}\n- {title: b, id: b, blockedBy: [a]}\n- {title: c, id: c, blockedBy: [d]}\n- {title: d, id: d, blockedBy: [a]}';
    const [fault = ''] = faultsOf(two);
    expect(fault).toMatch(/: a → b → a; remove b from blockedBy of a,/);
    expect(faultsOf(two.replace('[c, b]', '[c]'))[0]).toMatch(
      /: a → c → d → a; remove c from blockedBy of a,/,
    );
    expect(faultsOf(two.replace('[c, b]', '[]'))).toEqual([]);
  });

  it('uses an id twice', () => {
    expect(faultsOf(`${withTask('')}  - {title: two, id: one}`)[0]).toMatch(
      /the id one is already used by task 1/,
    );
  });

  it.each([
    'LD_PRELOAD',
    'NODE_OPTIONS',
    'GIT_SSH_COMMAND',
    'BASH_ENV',
    'DYLD_INSERT_LIBRARIES',
    'RALPH_TASK',
    'git_ssh_command',
  ])('sets the environment variable %s', (name) => {
    const text = withTask(`    run: [{cmd: x, env: {${name}: y}}]`);
    expect(faultsOf(text)[0]).toMatch(new RegExp(`env\\.${name}: must not be set by a plan`));
  });

  it.each(['/etc/passwd', '../secret', 'a/../../b', 'C:\\x', '~/x', 'a\\..\\..\\b'])(
    'changes a file outside the workspace: %s',
    (path) => {
      expect(faultsOf(withTask(`    files: [${JSON.stringify(path)}]`))[0]).toMatch(
        /files\[1\]: must be a path inside the workspace/,
      );
      expect(faultsOf(withTask(`    run: [{cmd: x, cwd: ${JSON.stringify(path)}}]`))[0]).toMatch(
        /cwd: must be a path inside/,
      );
    },
  );

  it('has keys that are no words: __proto__ and a map as key', () => {
    expect(faultsOf('__proto__: {polluted: 1}\ngoal: x')[0]).toBe(
      'plan.yaml:1: the key __proto__ is not allowed',
    );
    expect(faultsOf('? {a: 1}\n: 2')[0]).toMatch(/a key must be plain text/);
    expect('polluted' in {}).toBe(false);
  });

  it('holds 10,000 edges or tasks and is still judged at once', () => {
    const tasks = Array.from(
      { length: 2_000 },
      (_, index) =>
        `- {title: t, id: t${index}, blockedBy: [${index > 0 ? `t${index - 1}, t${index >> 1}` : ''}]}`,
    );
    const edges = Array.from({ length: 10_000 }, (_, index) => `t${index % 2_000}`);
    const text = `goal: x\ntasks:\n${tasks.join('\n')}\n- {title: u, blockedBy: [${edges}]}`;
    expect(processorTime(() => expect(faultsOf(text)).toEqual([]), 1)).toBeLessThan(15_000);
  });
});
