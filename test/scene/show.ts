import '../helpers/load-natively.ts';
import { nearestKey } from '../../src/tasks/nearest-key.ts';

/** One scene of `test/helpers/scenes`, for `run.ts`: without a terminal its frame at 80×24 is printed, on one it takes keys until ctrl-\ ends it. */
const { scenes } = await import('../helpers/scenes/index.ts');
const { openScene } = await import('../helpers/scenes/scene.ts');

const [name = '', theme = 'dark'] = process.argv.slice(2);
const scene = scenes.find((each) => each.name === name);
const { stdin, stdout } = process;

if (scene === undefined) {
  const names = scenes.map((each) => each.name);
  if (name === '') console.log(names.join('\n'));
  else {
    const meant = nearestKey(name, names);
    console.error(
      `there is no scene "${name}"${meant === null ? '' : `; did you mean ${meant}?`} \`npm run scene\` lists them`,
    );
  }
  process.exit(name === '' ? 0 : 2);
}

if (!stdin.isTTY || !stdout.isTTY) {
  const screen = await openScene(scene, { columns: 80, rows: 24 });
  console.log(screen.frame());
  process.exit(0);
}

const screen = await openScene(scene, {
  columns: stdout.columns,
  rows: stdout.rows,
  theme: { colours: 'true', background: theme === 'light' ? 'light' : 'dark' },
});
const draw = (): void => {
  stdout.write(`\u001b[H\u001b[2J${screen.styled().ours.trimEnd()}`);
};
const leave = (): void => {
  stdin.setRawMode(false);
  stdout.write('\u001b[?25h\u001b[?1049l');
};

stdout.write('\u001b[?1049h\u001b[?25l');
process.on('exit', leave);
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(0));
stdin.setRawMode(true).setEncoding('utf8');
draw();
stdout.on('resize', () => void screen.resize(stdout.columns, stdout.rows).then(draw));
stdin.on('data', (chunk: string) => {
  if (chunk === '\u001c') process.exit(0);
  // A lone ESC, in the form that needs no waiting for what may follow.
  void screen.type(chunk === '\u001b' ? '\u001b[27u' : chunk).then(draw);
});
