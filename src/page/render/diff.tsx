/** @jsxImportSource hono/jsx */
import { count } from '../../words/local-time.ts';
import type { DiffFileModel, DiffLine } from '../model/page-changes.ts';

/** The files of a diff, each folded. `open`: the first ones are unfolded. */
export const Diff = ({
  files,
  open = 0,
}: {
  readonly files: readonly DiffFileModel[];
  readonly open?: number;
}) => (
  <div class="diffs">
    {files.map((file, index) => (
      <details class="file" open={index < open}>
        <summary>
          <span class="path">{file.path}</span> <LineCount added={file.added} removed={file.removed} />
          {file.words === '' ? null : <span class="quiet"> {file.words}</span>}
        </summary>
        {file.lines.length === 0 ? null : (
          <div class="scroll" tabindex={0} role="region" aria-label={`Changes in ${file.path}`}>
            <table class="diff">
              <tbody>
                {file.lines.map((line) => (
                  <Row line={line} />
                ))}
              </tbody>
            </table>
          </div>
        )}
        {file.leftOut === 0 ? null : <p class="quiet">{count(file.leftOut, 'more line')} not shown</p>}
      </details>
    ))}
  </div>
);

/** "+12 −3". */
export const LineCount = ({
  added,
  removed,
}: {
  readonly added: number | null;
  readonly removed: number | null;
}) =>
  added === null && removed === null ? null : (
    <span class="counts">
      <span class="plus">+{added ?? 0}</span> <span class="minus">−{removed ?? 0}</span>
    </span>
  );

const signs: { readonly [kind in DiffLine['kind']]: string } = {
  hunk: '',
  context: ' ',
  removed: '−',
  added: '+',
  note: '\\',
};

const Row = ({ line: { kind, before, after, text } }: { readonly line: DiffLine }) =>
  kind === 'hunk' ? (
    <tr class="hunk">
      <td colspan={4}>{text}</td>
    </tr>
  ) : (
    <tr class={kind}>
      <td class="number">{before === 0 ? '' : before}</td>
      <td class="number">{after === 0 ? '' : after}</td>
      <td class="sign">{signs[kind]}</td>
      <td class="code">{text}</td>
    </tr>
  );
