import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { makeTempDir, removeTempDir } from '../helpers/temp-dir.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { nearTests } from './near-tests.ts';

/**
 * `npm run mutate -- PATH… [--tests DIR…] [--sample 40] [--seed 1]` changes the sources below each path in one small way at a time, in a copy of the
 * repository, and runs the tests that reach the changed file, the nearest first: a mutant that no test notices is printed as a survivor. `equivalent.txt` names those that change nothing one
 * can see. Exit code 1 when more than 15 % survive.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: 'string', multiple: true },
    sample: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
  },
});

const mostSurvivors = 0.15;
const firstStage = 8;
const root = resolve(import.meta.dirname, '../..');

interface Placed extends Mutant {
  readonly file: string;
  readonly before: string;
}

const rng = createSeededRandom(Number(values.seed));

const sourcesBelow = (path: string): readonly string[] =>
  git('ls-files', '--', path).filter((file) => file.endsWith('.ts'));

const git = (...args: readonly string[]): readonly string[] =>
  spawnSync('git', args, { cwd: root, encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line !== '');

/** A copy with the same tracked files: a run of the tests beside it sees no mutant. */
const makeCopy = (): string => {
  const copy = makeTempDir();
  for (const file of [...git('ls-files'), ...git('ls-files', '--others', '--exclude-standard')]) {
    if (!statSync(join(root, file), { throwIfNoEntry: false })?.isFile()) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
};

const distances = nearTests();

/**
 * The tests that may notice a mutant, those that most likely do first: the nearest by their imports, then the rest of the room and those of other rooms
 * that import the file itself. The tests of a room carry its name; the engine's drive the pipeline.
 */
const stagesOf = (file: string): readonly (readonly string[])[] => {
  const room = /^src\/([^/]+)/.exec(file)?.[1] ?? '';
  const rooms =
    values.tests ?? (room === 'pipeline' ? ['test/pipeline/', 'test/engine/'] : [`test/${room}/`]);
  const near = [...distances(file)]
    .filter(
      ([path, distance]) =>
        (distance === 1 && !path.startsWith('test/repository/')) ||
        rooms.some((each) => path.startsWith(each)),
    )
    .toSorted(([, one], [, other]) => one - other)
    .map(([path]) => path);
  return [near.slice(0, firstStage), near.slice(firstStage)].filter((stage) => stage.length > 0);
};

/** How long the tests take where there is no mutant. */
const timeSound = (copy: string, tests: readonly string[]): number => {
  const startedAt = performance.now();
  if (!passes(copy, [tests], 3_600_000)) throw new Error(`without a mutant these fail: ${tests.join(' ')}`);
  return Math.ceil(performance.now() - startedAt);
};

/** No stage notices. A mutant that loops for ever is noticed at the limit. */
const passes = (copy: string, stages: readonly (readonly string[])[], limitMs: number): boolean =>
  stages.every((tests) => passesAll(copy, tests, limitMs));

const passesAll = (copy: string, tests: readonly string[], limitMs: number): boolean => {
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'suite',
    '--bail=1',
    '--maxWorkers=1',
    '--passWithNoTests',
    '--reporter=dot',
    ...tests,
  ];
  const { status } = spawnSync(process.execPath, args, { cwd: copy, stdio: 'ignore', timeout: limitMs });
  return status === 0;
};

const equivalent = new Set(
  readFileSync(join(import.meta.dirname, 'equivalent.txt'), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#')),
);

const describeMutant = ({ file, before, text }: Placed): string =>
  `${file}: ${oneLine(before)} → ${oneLine(text)}`;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 120);

const placed = (file: string): readonly Placed[] => {
  const source = readFileSync(join(root, file), 'utf8');
  return mutantsOf(source).map((mutant) => ({
    ...mutant,
    file,
    before: source.slice(mutant.start, mutant.end),
  }));
};

const mutate = (path: string, copy: string): { readonly tried: number; readonly survivors: number } => {
  const all = sourcesBelow(path)
    .flatMap(placed)
    .filter((mutant) => !equivalent.has(describeMutant(mutant)));
  const chosen = rng.shuffle(all).slice(0, Number(values.sample));
  const tests = [...new Set(chosen.flatMap(({ file }) => stagesOf(file).flat()))];
  const limitMs = 60_000 + 2 * timeSound(copy, tests);
  let survivors = 0;
  for (const mutant of chosen) {
    const target = join(copy, mutant.file);
    const source = readFileSync(target, 'utf8');
    writeFileSync(target, source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end));
    if (passes(copy, stagesOf(mutant.file), limitMs)) {
      survivors += 1;
      console.log(`survived: ${mutant.file}:${mutant.line}\n  ${describeMutant(mutant)}`);
    }
    writeFileSync(target, source);
  }
  console.log(`${path}: ${chosen.length} of ${all.length} mutants, ${survivors} survived`);
  return { tried: chosen.length, survivors };
};

const copy = makeCopy();
try {
  const sums = (positionals.length === 0 ? ['src/signals'] : positionals).map((path) => mutate(path, copy));
  const tried = sums.reduce((sum, each) => sum + each.tried, 0);
  const survivors = sums.reduce((sum, each) => sum + each.survivors, 0);
  console.log(
    `${tried} mutants, ${survivors} survived (${Math.round((100 * survivors) / Math.max(tried, 1))} %, at most ${100 * mostSurvivors} %)`,
  );
  process.exitCode = survivors > tried * mostSurvivors ? 1 : 0;
} finally {
  removeTempDir(copy);
}
