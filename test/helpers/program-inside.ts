import { PassThrough, Writable } from 'node:stream';
import type { Launcher } from '../../src/cli/launcher/launcher.ts';
import type { Host } from '../../src/cli/program.ts';
import { builtMain } from './built-program.ts';
import { signalsOfNext } from './signals-inside.ts';

interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** The keyboard of a terminal in raw mode. */
const keyboard = () => {
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    isRaw: false,
    setRawMode: (raw: boolean) => {
      stream.isRaw = raw;
      return stream;
    },
    ref: () => stream,
    unref: () => stream,
  });
  return stream;
};

const display = ({ cols, rows }: Size, data: (text: string) => void) =>
  Object.assign(
    new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _, done) => {
        // As the kernel does.
        data(String(chunk).replaceAll('\n', '\r\n'));
        done();
      },
    }),
    { isTTY: true, columns: cols, rows },
  );

/** The program in this process at a terminal of this size. Unlike a real one it is in raw mode from the start. */
export const startInside = (
  args: readonly string[],
  { cwd, env, ...size }: Size & Pick<Host, 'env'> & { readonly cwd: string },
  heard: { readonly data: (text: string, isRaw: boolean) => void; readonly ended: (code: number) => void },
) => {
  const stdin = keyboard();
  const stdout = display(size, (text) => heard.data(text, stdin.isRaw));
  const launcher: Launcher = {
    letGo: async (exitCode) => heard.ended(exitCode),
    whenGone: () => () => {},
  };
  const host = { stdin, stdout, stderr: stdout, env, cwd: () => cwd, launcher } as unknown as Host;
  const tell = signalsOfNext('openTerminal');
  void builtMain()(args, host).then(() => heard.ended(Number(host.exitCode ?? 0)));
  const hangUp = (): void =>
    void stdin.destroy(Object.assign(new Error('the window was closed'), { code: 'EIO' }));
  return {
    pid: process.pid,
    write: (bytes: string): void => void stdin.write(bytes),
    resize: (columns: number, rows: number): void => {
      Object.assign(stdout, { columns, rows });
      stdout.emit('resize');
    },
    kill: (signal: NodeJS.Signals): void => {
      if (signal === 'SIGKILL') hangUp();
      else tell(signal);
    },
    close: hangUp,
  };
};
