import type { LocalTime } from '../src/words/local-time.ts';
import { Answer } from './answer/Answer.tsx';
import { Compose } from './compose/Compose.tsx';
import { Confirm } from './confirm/Confirm.tsx';
import { Dialog } from './dialog/Dialog.tsx';
import { dialogs, isDialog } from './dialogs.ts';
import { End } from './end/End.tsx';
import { Settled } from './end/Settled.tsx';
import { Form } from './form/Form.tsx';
import { Help } from './help/Help.tsx';
import { Palette } from './help/Palette.tsx';
import { KnowledgeGate } from './knowledge/KnowledgeGate.tsx';
import { NeedsYou } from './needs/NeedsYou.tsx';
import { PlanGate } from './plan/PlanGate.tsx';
import { PlanReview } from './plan/PlanReview.tsx';
import { isPlanGate } from './plan/plan-gate.ts';
import { Prompt } from './search/Prompt.tsx';
import { Start } from './start/Start.tsx';
import { footerHints } from './table.ts';
import { Talk } from './talk/Talk.tsx';
import type { ViewState } from './view.ts';

interface TopOverlayProps {
  readonly view: ViewState;
  readonly now: LocalTime;
  readonly columns: number;
  readonly rows: number;
}

/** The overlay that receives the keys. Those below it are hidden. */
export const TopOverlay = ({ view, now, columns, rows }: TopOverlayProps) => {
  const overlay = view.ui.overlays.at(-1);
  if (overlay === undefined) return null;
  const common = { view, now, columns, rows, hints: footerHints(view) };
  if (isDialog(overlay)) return <Dialog {...common} dialog={dialogs[overlay.kind]} overlay={overlay} />;
  switch (overlay.kind) {
    case 'compose':
      return <Compose {...common} overlay={overlay} />;
    case 'confirm':
      return <Confirm {...common} overlay={overlay} />;
    case 'knowledge':
      return <KnowledgeGate {...common} overlay={overlay} />;
    case 'settled':
      return <Settled {...common} overlay={overlay} />;
    case 'needs-you':
      return <NeedsYou {...common} overlay={overlay} />;
    case 'answer':
      return isPlanGate(overlay) ? (
        <PlanGate {...common} overlay={overlay} />
      ) : (
        <Answer {...common} overlay={overlay} />
      );
    case 'prompt': {
      // A comment is written while its line stays in sight.
      const below = view.ui.overlays.at(-2);
      return (
        <>
          {below?.kind === 'plan-review' && <PlanReview {...common} overlay={below} hints={[]} />}
          <Prompt {...common} overlay={overlay} />
        </>
      );
    }
    case 'start':
      return <Start {...common} overlay={overlay} />;
    case 'form':
      return <Form {...common} overlay={overlay} />;
    case 'talk':
      return <Talk {...common} overlay={overlay} />;
    case 'plan-review':
      return <PlanReview {...common} overlay={overlay} />;
    case 'end':
      return <End {...common} overlay={overlay} />;
    case 'help':
      return <Help {...common} overlay={overlay} />;
    case 'palette':
      return <Palette {...common} overlay={overlay} />;
  }
};
