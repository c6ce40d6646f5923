import { expect, test } from 'vitest';
import { failureLine, failureLines } from '../../src/base/failure-line.ts';

/** What programs printed, and the line that says why they failed. */
const samples: Readonly<Record<string, readonly [output: string, line: string]>> = {
  'Node, an uncaught error': [
    `/work/a.mjs:1
null.map();
     ^

TypeError: Cannot read properties of null (reading 'map')
    at file:///work/a.mjs:1:6
    at ModuleJob.run (node:internal/modules/esm/module_job:439:25)
    at async node:internal/modules/esm/loader:661:26
    at async asyncRunEntryPointWithESMLoader (node:internal/modules/run_main:101:5)

Node.js v24.21.0`,
    "TypeError: Cannot read properties of null (reading 'map')",
  ],
  'Node, with a code': [
    `node:internal/modules/cjs/loader:1386
  throw err;
  ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /work/a.mjs
    at Object.getPackageJSONURL (node:internal/modules/package_json_reader:314:9) {
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v24.21.0`,
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /work/a.mjs",
  ],
  'Python, a traceback': [
    `Traceback (most recent call last):
  File "/work/a.py", line 3, in <module>
    main()
  File "/work/a.py", line 2, in main
    import uvicorn
ModuleNotFoundError: No module named 'uvicorn'`,
    "ModuleNotFoundError: No module named 'uvicorn'",
  ],
  'Python, an error while another was handled': [
    `Traceback (most recent call last):
  File "a.py", line 2, in <module>
KeyError: 'x'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "a.py", line 4, in <module>
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)`,
    'json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)',
  ],
  pytest: [
    `=================================== FAILURES ===================================
____________________________________ test_a ____________________________________

    def test_a():
>       assert add(1, 1) == 3
E       assert 2 == 3
E        +  where 2 = add(1, 1)

test_a.py:5: AssertionError
=========================== short test summary info ============================
FAILED test_a.py::test_a - assert 2 == 3
============================== 1 failed in 0.03s ===============================`,
    'assert 2 == 3',
  ],
  'Rust, a compiler error': [
    `   Compiling demo v0.1.0 (/work)
error[E0425]: cannot find value \`y\` in this scope
 --> src/main.rs:2:20
  |
2 |     println!("{}", y);
  |                    ^ not found in this scope

For more information about this error, try \`rustc --explain E0425\`.
error: could not compile \`demo\` (bin "demo") due to 1 previous error`,
    'error[E0425]: cannot find value `y` in this scope',
  ],
  'Rust, a panic': [
    `thread 'main' panicked at src/main.rs:2:5:
index out of bounds: the len is 1 but the index is 5
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`,
    "thread 'main' panicked at src/main.rs:2:5: index out of bounds: the len is 1 but the index is 5",
  ],
  'Go, a panic': [
    `panic: runtime error: index out of range [5] with length 1

goroutine 1 [running]:
main.main()
	/work/main.go:6 +0x1d
exit status 2`,
    'panic: runtime error: index out of range [5] with length 1',
  ],
  'Go, a compiler error': ['# demo\n./main.go:5:2: undefined: foo', './main.go:5:2: undefined: foo'],
  'Go, a test': [
    `--- FAIL: TestAdd (0.00s)
    add_test.go:7: got 3, want 2
FAIL
exit status 1
FAIL	demo	0.002s`,
    '--- FAIL: TestAdd (0.00s)',
  ],
  'Java, an exception with its cause': [
    `Exception in thread "main" java.lang.RuntimeException: start failed
	at demo.Main.main(Main.java:5)
Caused by: java.io.FileNotFoundException: config.yaml (No such file or directory)
	at java.base/java.io.FileInputStream.open0(Native Method)
	... 1 more`,
    'Caused by: java.io.FileNotFoundException: config.yaml (No such file or directory)',
  ],
  javac: [
    `Main.java:3: error: cannot find symbol
    foo();
    ^
  symbol:   method foo()
1 error`,
    'Main.java:3: error: cannot find symbol',
  ],
  'dash, an unknown command': ['sh: 1: uv: not found', 'sh: 1: uv: not found'],
  'bash, an unknown command': ['bash: line 1: uv: command not found', 'bash: line 1: uv: command not found'],
  'zsh, an unknown command': ['zsh:1: command not found: uv', 'zsh:1: command not found: uv'],
  'a file that is not there': [
    'reading\ncat: nothing.txt: No such file or directory',
    'cat: nothing.txt: No such file or directory',
  ],
  'npm, a missing script': [
    `npm error Missing script: "build"
npm error
npm error To see a list of scripts, run:
npm error   npm run
npm error A complete log of this run can be found in: /home/kim/.npm/_logs/x.log`,
    'npm error Missing script: "build"',
  ],
  'npm around a failing test': [
    `> demo@1.0.0 test
> node --test

not ok 1 - adds
  ---
  error: |-
    Expected values to be strictly equal
  ...
# fail 1
npm error Test failed.  See above for more details.`,
    'not ok 1 - adds',
  ],
  Vitest: [
    ` FAIL  test/a.test.ts > adds
AssertionError: expected 2 to be 3 // Object.is equality
 ❯ test/a.test.ts:4:21

 Test Files  1 failed (1)
   Duration  312ms`,
    'AssertionError: expected 2 to be 3 // Object.is equality',
  ],
  Jest: [
    `  ● adds

    expect(received).toBe(expected) // Object.is equality

    Expected: 3
    Received: 2

Tests:       1 failed, 1 total
Time:        0.3 s`,
    '● adds',
  ],
  'the TypeScript compiler': [
    "src/a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.",
    "src/a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.",
  ],
  'make around a compiler': [
    `cc -c a.c
a.c:1:10: fatal error: nothing.h: No such file or directory
compilation terminated.
make: *** [Makefile:2: a.o] Error 1`,
    'a.c:1:10: fatal error: nothing.h: No such file or directory',
  ],
  git: [
    'fatal: not a git repository (or any of the parent directories): .git',
    'fatal: not a git repository (or any of the parent directories): .git',
  ],
};

test.each(Object.entries(samples))('%s', (_name, [output, line]) => {
  expect(failureLine(output.split('\n'))).toBe(line);
});

test('output without an error has no such line', () => {
  expect(failureLine(['building', '3 files', 'done in 2 s'])).toBeNull();
});

test('the lines that name what failed stand apart from the stack, the summary and what passed', () => {
  const output = [
    '✖ says good night (1.2ms)',
    '✔ says hello (0.1ms)',
    'ℹ fail 1',
    '✖ failing tests:',
    '',
    'test at check.test.mjs:3:1',
    '✖ says good night (1.2ms)',
    "  AssertionError [ERR_ASSERTION]: 'Good morning' == 'Good night'",
    '      at TestContext.<anonymous> (file:///work/check.test.mjs:3:47)',
    "    operator: '==',",
    '  }',
  ];
  expect(failureLines(output, 3)).toEqual([
    '✖ says good night (1.2ms)',
    "  AssertionError [ERR_ASSERTION]: 'Good morning' == 'Good night'",
  ]);
  expect(failureLines(['ok 1 - a', 'not ok 2 - b', 'not ok 3 - c'], 1)).toEqual(['not ok 2 - b']);
  expect(failureLines(['done in 2 s'], 3)).toEqual([]);
});
