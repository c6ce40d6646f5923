import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram } from '../helpers/program.ts';
import { createSkillWorkspace } from '../helpers/skill-workspace.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const say = (text: string) => ({ do: 'say', text }) as const;

test('words appear as they come, each once, with calls between them, and a reply that is cut off stays in the conversation', async () => {
  const go = join(tempDir(), 'go');
  const { cwd, env, read } = createSkillWorkspace([
    {
      actions: [
        say('First I look'),
        say(' around.\nThen I'),
        { do: 'until-file', path: `${go}-1` },
        say(' think.\n'),
        { do: 'shell', command: 'true' },
        say('It is small.\nMore follows'),
        { do: 'until-file', path: `${go}-2` },
        { do: 'exit', code: 3 },
      ],
    },
  ]);
  const running = startProgram(['skill', 'research-codebase', 'x'], { cwd, env, input: '' });
  onTestFinished(() => running.kill('SIGKILL'));
  await running.waitFor('First I look around.');
  expect(running.output()).not.toContain('Then I');
  writeFileSync(`${go}-1`, '');
  await running.waitFor('It is small.');
  writeFileSync(`${go}-2`, '');
  const { stdout, code } = await running.done;
  expect(code).toBe(3);
  expect(stdout).toContain('\nFirst I look around.\nThen I think.\n· true\n\nIt is small.\nMore follows\n');
  const [id = ''] = /\d{6}-\d{6}/.exec(stdout) ?? [];
  expect(read(`.ralph/conversations/${id}/journal.jsonl`)).toContain('"text":"It is small.\\nMore follows"');
});

test('a form of the agent is asked field by field, with its choices, and shown before it is sent', async () => {
  const { skill, agent } = createSkillWorkspace([
    {
      actions: [
        say('I need three things.'),
        {
          do: 'elicit',
          message: 'How is it stored?',
          schema: {
            type: 'object',
            properties: {
              db: { type: 'string', title: 'Which store?', enum: ['files', 'sqlite'] },
              days: { type: 'array', title: 'On which days?', items: { enum: ['mon', 'tue', 'wed, late'] } },
              note: { type: 'string', title: 'What else?' },
            },
            required: ['db', 'days'],
          },
        },
        say('Thank you.'),
      ],
    },
  ]);
  const wrong = ['2', '2', 'quiet', '2'];
  const right = ['1', '1 3', '42', '1'];
  const { stdout } = await skill(['research-codebase', 'x'], ...wrong, ...right, '1');
  expect(stdout).toContain(
    'I need three things.\n\nWhich store?\nHow is it stored?\n1  files\n2  sqlite\n3  skip this form',
  );
  expect(stdout).toContain(
    'On which days?\nHow is it stored?\n1  mon\n2  tue\n3  wed, late\n4  skip this form',
  );
  expect(stdout).toContain(
    'Send these answers?\nWhich store?: sqlite\nOn which days?: tue\nWhat else?: quiet\n1  yes\n2  no, ask again',
  );
  expect(stdout).toContain('Thank you.');
  expect(agent.log().find(({ what }) => what === 'form')?.['answer']).toEqual({
    action: 'accept',
    content: { db: 'files', days: ['mon', 'wed, late'], note: '42' },
  });
});
