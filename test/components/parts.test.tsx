import { stripVTControlCharacters } from 'node:util';
import { Box } from 'ink';
import { cleanup, render } from 'ink-testing-library';
import type { ReactElement } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { Confirm } from '../../components/confirm/Confirm.tsx';
import { Lines } from '../../components/draw/Lines.tsx';
import { Modal } from '../../components/draw/Modal.tsx';
import { span } from '../../components/draw/span.ts';
import { createTheme } from '../../components/draw/theme.ts';
import { ThemeContext } from '../../components/draw/theme-context.tsx';
import { createEditor } from '../../components/keys/line-editor.ts';
import type { ConfirmOverlay } from '../../components/overlay.ts';
import { footerHints } from '../../components/table.ts';
import { widthOf } from '../../src/words/width.ts';
import { rich } from '../helpers/contexts.ts';

afterEach(cleanup);

const rowsOf = (frame: string | undefined): readonly string[] =>
  stripVTControlCharacters(frame ?? '')
    .split('\n')
    .filter((row) => row.trim() !== '');

/** What is placed absolutely has no height of its own: the screen gives it room. */
const OnScreen = ({ children }: { readonly children: ReactElement }) => (
  <Box width={80} height={24}>
    {children}
  </Box>
);

describe('lines', () => {
  test('a line that is too long ends in an ellipsis, and a wide character is never halved', () => {
    const lines = [[span('exactly 10')], [span('eleven char')], [span('一二三四五六')]];
    const { lastFrame } = render(<Lines lines={lines} width={10} height={3} />);
    expect(rowsOf(lastFrame())).toEqual(['exactly 10', 'eleven ch…', '一二三四…']);
  });

  test('lines beyond the height are left out', () => {
    const lines = ['one', 'two', 'three'].map((text) => [span(text)]);
    const { lastFrame, rerender } = render(<Lines lines={lines} width={10} height={2} />);
    expect(rowsOf(lastFrame())).toEqual(['one', 'two']);
    rerender(<Lines lines={lines} width={10} height={1} />);
    expect(rowsOf(lastFrame())).toEqual(['one']);
  });

  test('in ASCII our own signs are letters of ASCII', () => {
    const theme = createTheme({ colours: 'none', ascii: true, background: 'dark' });
    const { lastFrame } = render(
      <ThemeContext value={theme}>
        <Lines lines={[[span('done ✓ · failed ✗ · 3 × 2')]]} width={40} height={1} />
      </ThemeContext>,
    );
    expect(rowsOf(lastFrame())).toEqual(['done + - failed x - 3 x 2']);
  });
});

describe('a modal', () => {
  const modal = (title: string, texts: readonly string[], width: number, rows = 20) => (
    <Modal
      title={title}
      lines={texts.map((text) => [span(text)])}
      hints={[{ id: 'x.close', key: 'Esc', label: 'close' }]}
      columns={40}
      rows={rows}
      width={width}
    />
  );

  const drawn = (node: ReactElement): readonly string[] =>
    rowsOf(render(<OnScreen>{node}</OnScreen>).lastFrame());

  test('every row of its frame is equally wide, whatever stands in it', () => {
    const rows = drawn(modal('Title', ['short', 'x'.repeat(200), '一二三'], 30));
    expect(new Set(rows.map((row) => widthOf(row.trim())))).toEqual(new Set([30]));
  });

  test('a title that is longer than the frame keeps the corner', () => {
    expect(drawn(modal('T'.repeat(100), ['a'], 30))[0]?.trim()).toMatch(/^╭─ T+…╮$/);
  });

  test('is never wider than the screen nor taller, and keeps the line of its keys', () => {
    const many = Array.from({ length: 50 }, (_, index) => `line ${index}`);
    const rows = drawn(modal('Title', many, 400, 12));
    expect(rows.length).toBeLessThanOrEqual(12);
    expect(Math.max(...rows.map((row) => widthOf(row)))).toBeLessThanOrEqual(40);
    expect(rows.at(-2)).toContain('Esc close');
  });
});

describe('a question before what cannot be taken back', () => {
  const drawn = (overlay: ConfirmOverlay): string => {
    const store = rich();
    store.act({ type: 'overlay-opened', overlay });
    const view = store.getState();
    const { lastFrame } = render(
      <OnScreen>
        <Confirm
          view={view}
          overlay={overlay}
          now={{ ms: 0, offset: 0 }}
          hints={footerHints(view)}
          columns={80}
          rows={24}
        />
      </OnScreen>,
    );
    return stripVTControlCharacters(lastFrame() ?? '');
  };

  test('ABORT wants its word, and shows what is typed of it', () => {
    const frame = drawn({ kind: 'confirm', subject: { kind: 'abort' }, editor: createEditor('ABO') });
    expect(frame).toContain('Abort the session?');
    expect(frame).toMatch(/Type ABORT and press Enter: ABO/);
  });

  test('to cancel a task takes one key', () => {
    const frame = drawn({
      kind: 'confirm',
      subject: { kind: 'cancel', task: 'english' },
      editor: createEditor(),
    });
    expect(frame).toContain('english');
    expect(frame).not.toContain('Type ');
  });

  test('nothing is asked about a task that is settled', () => {
    expect(
      rowsOf(drawn({ kind: 'confirm', subject: { kind: 'cancel', task: 'init' }, editor: createEditor() })),
    ).toEqual([]);
  });
});
