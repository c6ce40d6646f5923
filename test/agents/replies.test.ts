import { describe, expect, test } from 'vitest';
import { implementAnswerSchema } from '../../src/agents/answers.ts';
import { contracts, schemaText } from '../../src/agents/replies/contracts.ts';
import { checkOutcome, readReply, repairPrompt } from '../../src/agents/replies/read-reply.ts';
import { reportSteers, steerAnswers, withSteers } from '../../src/agents/replies/steers.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { briefOf, info, steer, taskOf } from '../helpers/role-port.ts';

const brief = briefOf({ task: taskOf() });
const read = (text: string, update?: unknown, kind = 'implement') => readReply(kind, brief, { update, text });
const done = '{"status": "completed", "summary": ["made it"]}';

describe('the outcome of a turn', () => {
  test.each([
    ['alone', done],
    ['after prose', `I am done.\n${done}`],
    ['before prose', `${done}\nThat was all {really}.`],
    ['in a fence', `Here:\n\`\`\`json\n${done}\n\`\`\`\nBye.`],
    ['with trailing commas', '{"status": "completed", "summary": ["made it",],}'],
    ['after an earlier draft', `{"status": "failed"}\n${done}`],
  ])('is read %s', (_, text) => {
    expect(read(text)).toMatchObject({
      kind: 'answer',
      from: 'reply',
      answer: { status: 'completed', summary: ['made it'], criteria: [], blockers: [] },
    });
  });

  test.each([
    ['prose', 'All done, everything works!', false, 'the reply contains no JSON object'],
    ['nothing', '', false, 'the reply contains no JSON object'],
    ['half an answer', '{"status": "comp', false, 'the reply contains no JSON object'],
    ['another word', '{"status": "done"}', true, 'status: must be one of completed, failed, blocked'],
    ['a missing field', '{"summary": []}', true, 'status: must be one of completed, failed, blocked'],
    [
      'a number for a list',
      '{"status": "failed", "blockers": 3}',
      true,
      'blockers: must be a list, not a number',
    ],
    [
      'a wrong entry',
      '{"status": "failed", "criteria": [{"criterion": "a", "status": "ok"}]}',
      true,
      'criteria[1].status: must be one of met, not met, not checked',
    ],
  ])('of %s is wrong, and the field is named', (_, text, found, wrong) => {
    const reading = read(text);
    expect(reading).toEqual({ kind: 'wrong', found, wrong: [wrong] });
    if (reading.kind === 'wrong') expect(repairPrompt(reading.wrong)).toContain(`Wrong: ${wrong}`);
  });

  describe('in a turn of a loop', () => {
    const turn = briefOf({
      task: taskOf(),
      model: { instructions: '', fence: '', reports: [], tools: true, isTurn: true },
    });
    const promise = '<promise>COMPLETE</promise>';

    test('may be words that end with the promise', () => {
      expect(
        readReply('implement', turn, { update: undefined, text: `All is done.\n\n${promise}\n` }),
      ).toMatchObject({
        kind: 'answer',
        from: 'reply',
        answer: { status: 'completed', summary: ['All is done.', promise] },
      });
    });

    test.each([
      ['words alone', 'All is done.'],
      ['a promise in the middle', `${promise}\nNot yet.`],
      ['an object with a wrong field', `{"status": "done"}\n${promise}`],
    ])('is missing with %s', (_, text) => {
      expect(readReply('implement', turn, { update: undefined, text }).kind).toBe('wrong');
    });

    test('elsewhere the promise is no outcome', () => {
      expect(read(promise)).toMatchObject({ kind: 'wrong', found: false });
    });
  });

  test('is the task_update before the reply, and a disagreement is said', () => {
    expect(read('{"status": "failed"}', { status: 'completed' })).toMatchObject({
      from: 'task_update',
      answer: { status: 'completed' },
      disagreement:
        'the agent reported completed with task_update and failed in its last message: completed counts',
    });
    expect(read(done, { status: 'completed' })).toMatchObject({ disagreement: null });
    expect(read('Bye.', { status: 'completed' })).toMatchObject({ disagreement: null });
    expect(read(done, { status: 'finished' })).toMatchObject({ from: 'reply' });
  });

  test('a review that fails has to say what to do', () => {
    expect(read('{"verdict": "Failed"}', undefined, 'review')).toMatchObject({
      wrong: ['feedback: is required when the verdict is Failed'],
    });
    expect(read('{"verdict": "Qualified"}', undefined, 'review')).toMatchObject({ kind: 'answer' });
  });

  test('of a planner takes commands as plans do, and names what each task lacks', () => {
    const plan = (tasks: unknown) => read(JSON.stringify({ tasks }), undefined, 'breakdown');
    const one = { id: 'one', title: 'One', files: ['a.ts'], verify: ['npm test'] };
    expect(plan([one, { ...one, id: 'two', blockedBy: ['one'], verify: 'make check' }])).toMatchObject({
      answer: {
        tasks: [
          { id: 'one', iteration: 1, verify: [{ cmd: 'npm test' }], type: 'Parallelizable', run: [] },
          { id: 'two', blockedBy: ['one'], verify: [{ cmd: 'make check' }] },
        ],
      },
    });
    expect(plan([{ id: 'one', title: 'One' }])).toMatchObject({
      wrong: ['tasks[1].files: is required (a list)'],
    });
    expect(plan([{ ...one, files: [] }])).toMatchObject({ wrong: ['tasks[1].files: must not be empty'] });
    expect(plan([{ ...one, blockedBy: ['ghost'] }])).toMatchObject({
      wrong: ['tasks[1].blockedBy: names ghost, which is not a task in the plan'],
    });
    expect(plan([one, one])).toMatchObject({ wrong: ['tasks: the id one appears twice'] });
    expect(
      plan([
        { ...one, blockedBy: ['two'] },
        { ...one, id: 'two', blockedBy: ['one'] },
      ]),
    ).toMatchObject({ wrong: [expect.stringContaining('in a cycle')] });
    expect(plan([{ ...one, files: ['../x'] }])).toMatchObject({
      wrong: [expect.stringContaining('inside the workspace')],
    });
    expect(plan([{ ...one, blockdBy: [] }])).toMatchObject({
      wrong: [expect.stringContaining('did you mean blockedBy?')],
    });
  });

  test('the parts of a task have ids of their own: with that of a task that is done they would be done, too', () => {
    const known = ['one', 'two'].map((id) => ({
      definition: taskOf({ id }),
      status: 'done' as const,
      attempts: 1,
    }));
    const brief = briefOf({
      role: 'Planner',
      mode: 'REBREAKDOWN_TASK',
      task: taskOf({ id: 'two' }),
      tasks: known,
    });
    const split = (kind: string, ...ids: readonly string[]) =>
      checkOutcome(kind, brief, { tasks: ids.map((id) => ({ id, title: id, files: [`${id}.ts`] })) });
    expect(split('rebreakdown-task', 'two')).toMatchObject({ kind: 'answer' });
    expect(split('rebreakdown-task', 'two-a', 'two-b')).toMatchObject({ kind: 'answer' });
    expect(split('rebreakdown-task', 'one', 'two-b')).toEqual({
      kind: 'wrong',
      wrong: ['tasks: one is the id of another task: choose a new id'],
    });
    expect(split('rebreakdown', 'one', 'two')).toMatchObject({ kind: 'answer' });
    for (const kind of ['rebreakdown-task', 'rebreakdown'])
      expect(split(kind, 'two-a', 'two-a')).toEqual({
        kind: 'wrong',
        wrong: ['tasks: the id two-a appears twice'],
      });
  });

  test('a planner gives tasks to agents of this session only, and leaves a task the one that it has', () => {
    const brief = briefOf({
      settings: { ...defaultSettings, roles: { planner: 'gemini', executor: 'codex', librarian: 'script' } },
      tasks: [{ definition: taskOf({ id: 'old', agent: 'script' }), status: 'open', attempts: 0 }],
    });
    const plan = (id: string, agent: string) =>
      checkOutcome('breakdown', brief, { tasks: [{ id, title: 'One', files: ['a.ts'], agent }] });
    expect(plan('one', 'gemini')).toMatchObject({ kind: 'answer' });
    expect(plan('old', 'script')).toMatchObject({ kind: 'answer' });
    expect(plan('one', 'script')).toEqual({
      kind: 'wrong',
      wrong: ['tasks: one names the agent script, which has no role in this session: leave out `agent`'],
    });
    expect(plan('one', 'claude')).toMatchObject({ kind: 'wrong' });
  });

  test.each(contracts.map((contract) => [contract.kind, contract] as const))(
    'of %s has a JSON schema that names every field',
    (_, contract) => {
      const schema: unknown = JSON.parse(schemaText(contract));
      expect(schema).toMatchObject({ type: 'object', properties: expect.any(Object) });
      expect(schemaText(contract)).not.toContain('propertyNames');
    },
  );
});

describe('the answer to the steering question', () => {
  const way = (): string => 'tool result';

  test('is the verdict, with its evidence and the way it came', () => {
    const message = steer('use bar');
    const answer = { steers: [{ id: message.id, verdict: 'restart', evidence: 'a.ts is written' }] };
    expect(steerAnswers([info('x'), message], answer, way).facts).toEqual([
      {
        type: 'steer.decided',
        id: message.id,
        verdict: 'restart',
        evidence: 'a.ts is written',
        action: 'Restarted due to STEER: use bar (tool result)',
      },
    ]);
  });

  test('that is missing is said to be missing, never guessed', () => {
    const [one, two] = [steer('use bar'), steer('be quick')];
    const answer = { steers: [{ id: two.id, verdict: 'adjust' }] };
    expect(steerAnswers([one, two], answer, way).traces).toMatchObject([
      { verdict: 'no answer', action: 'no answer from the agent (tool result)' },
      { verdict: 'adjust' },
    ]);
    expect(steerAnswers([one], 'prose', way).traces).toMatchObject([{ verdict: 'no answer' }]);
  });

  test('of the sender decides, and an escalation blocks the task', () => {
    const message = steer('make it a server', 'escalate');
    const answers = steerAnswers([message], { steers: [{ id: message.id, verdict: 'adjust' }] }, way);
    expect(answers).toMatchObject({ escalation: 'make it a server', traces: [{ verdict: 'escalate' }] });
    expect(withSteers('implement', { status: 'completed', blockers: [] }, answers)).toMatchObject({
      status: 'blocked',
      blockers: ['STEER scope change: make it a server'],
      escalation: 'make it a server',
      steers: [{ verdict: 'escalate' }],
    });
  });
});

describe('orders that an agent answers', () => {
  const sent = { ...steer('use bar'), id: 's1' };

  test('in the form of the prompt pass the procedure that refused them, without any order too', () => {
    const update = {
      status: 'completed',
      steers: [{ id: 's1', verdict: 'adjust', evidence: 'it only adds' }],
    };
    const reading = read('Bye.', update);
    const answer = reading.kind === 'answer' ? reading.answer : null;
    const steers = steerAnswers([], answer, () => '');
    expect(implementAnswerSchema.parse(withSteers('implement', answer, steers))).toMatchObject({
      steers: [],
    });
    expect(steers).toMatchObject({ surplus: 1, facts: [], escalation: null });
  });

  test('of the first prompt are recorded with its verdict, which decides like that of a later one', () => {
    const other = { ...steer('use baz'), id: 's2' };
    const given = {
      steers: [{ id: 's2', verdict: 'Escalate', evidence: null }, { order: 'be fast' }, 'adjust'],
    };
    expect(steerAnswers([], given, () => '', [sent, other, info('a fact')])).toMatchObject({
      traces: [
        { id: 's2', verdict: 'escalate', action: 'STEER scope change: use baz (in the first prompt)' },
      ],
      facts: [],
      escalation: 'use baz',
      surplus: 2,
    });
  });

  test('surplus ones are noted, and an escalation that says nothing is none', () => {
    const facts: unknown[] = [];
    reportSteers(
      steerAnswers([], { steers: [{ id: 'x', verdict: 'restart' }] }, () => ''),
      (fact) => facts.push(fact),
    );
    expect(facts).toEqual([
      { type: 'finding.noted', text: 'the agent answered an order, which it was not given: ignored' },
    ]);
    for (const escalation of ['', 'none', 'N/A', null])
      expect(read(JSON.stringify({ status: 'completed', escalation }))).toMatchObject({
        kind: 'answer',
        answer: expect.not.objectContaining({ escalation: expect.anything() }),
      });
  });
});
