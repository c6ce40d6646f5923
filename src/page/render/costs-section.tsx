/** @jsxImportSource hono/jsx */

import { costWord, shortCount } from '../../words/usage-words.ts';
import type { CostRow } from '../model/page-costs.ts';
import type { PageModel } from '../model/page-model.ts';

/** Cost and tokens as agents reported them. */
export const CostsSection = ({ costs }: Pick<PageModel, 'costs'>) =>
  costs.agents.length === 0 ? null : (
    <section aria-labelledby="costs">
      <h2 id="costs">Costs</h2>
      <div class="columns">
        <CostTable title="By agent" rows={costs.agents} />
        {costs.tasks.length === 0 ? null : <CostTable title="By task" rows={costs.tasks} />}
      </div>
    </section>
  );

const CostTable = ({ title, rows }: { readonly title: string; readonly rows: readonly CostRow[] }) => (
  <table class="costs">
    <thead>
      <tr>
        <th scope="col">{title}</th>
        <th scope="col">Cost</th>
        <th scope="col">Tokens in</th>
        <th scope="col">Tokens out</th>
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr>
          <td>{row.name}</td>
          <td class="amount">{row.costs.length === 0 ? '–' : row.costs.map(costWord).join(' + ')}</td>
          <td class="amount">{tokens(row, row.tokensIn)}</td>
          <td class="amount">{tokens(row, row.tokensOut)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const tokens = ({ uncounted, tokensIn, tokensOut }: CostRow, amount: number): string =>
  tokensIn + tokensOut === 0 ? '–' : `${uncounted > 0 ? '≥ ' : ''}${shortCount(amount)}`;
