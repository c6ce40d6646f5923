import { expect, test } from 'vitest';
import { createOutputTail } from '../../src/agents/backends/script/output-tail.ts';

const tailOf = (output: string): string => {
  const tail = createOutputTail();
  tail.add(new TextEncoder().encode(output));
  return tail.text();
};

const echo = '\n> demo@1.0.0 test\n> node -e "process.exit(1)"\n\n';

test('the script that npm prints before it runs is no reason', () => {
  expect(tailOf(echo)).toBe('');
  expect(tailOf(`${echo}3 of 7 greetings are wrong\n`)).toBe('3 of 7 greetings are wrong');
  expect(tailOf(`\n> demo@1.0.0 lint\n> eslint a.ts: not found\n\nno rules\n`)).toBe('no rules');
});
