import { footerHints } from '../../src/keymap/table.ts';
import { isPlanGate } from '../../src/store/overlays/plan-gate.ts';
import type { ViewState } from '../../src/store/view.ts';
import type { LocalTime } from '../../src/words/local-time.ts';
import { Answer } from './Answer.tsx';
import { Compose } from './Compose.tsx';
import { Confirm } from './Confirm.tsx';
import { Critical } from './Critical.tsx';
import { End } from './End.tsx';
import { Form } from './Form.tsx';
import { Help } from './Help.tsx';
import { KnowledgeGate } from './KnowledgeGate.tsx';
import { MoveIssue } from './MoveIssue.tsx';
import { NeedsYou } from './NeedsYou.tsx';
import { Palette } from './Palette.tsx';
import { Permission } from './Permission.tsx';
import { PlanGate } from './PlanGate.tsx';
import { PlanReview } from './PlanReview.tsx';
import { Prompt } from './Prompt.tsx';
import { Quit } from './Quit.tsx';
import { ReadyGroups } from './ReadyGroups.tsx';
import { Runners } from './Runners.tsx';
import { Serve } from './Serve.tsx';
import { Sessions } from './Sessions.tsx';
import { Settled } from './Settled.tsx';
import { SignalInFull } from './SignalInFull.tsx';
import { Start } from './Start.tsx';
import { Statistics } from './Statistics.tsx';
import { Talk } from './Talk.tsx';
import { TaskList } from './TaskList.tsx';
import { Trust } from './Trust.tsx';

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
    case 'trust':
      return <Trust {...common} overlay={overlay} />;
    case 'critical':
      return <Critical {...common} overlay={overlay} />;
    case 'form':
      return <Form {...common} overlay={overlay} />;
    case 'talk':
      return <Talk {...common} overlay={overlay} />;
    case 'move-issue':
      return <MoveIssue {...common} overlay={overlay} />;
    case 'plan-review':
      return <PlanReview {...common} overlay={overlay} />;
    case 'task-list':
      return <TaskList {...common} overlay={overlay} />;
    case 'ready-groups':
      return <ReadyGroups {...common} overlay={overlay} />;
    case 'sessions':
      return <Sessions {...common} overlay={overlay} />;
    case 'end':
      return <End {...common} overlay={overlay} />;
    case 'help':
      return <Help {...common} overlay={overlay} />;
    case 'palette':
      return <Palette {...common} overlay={overlay} />;
    case 'quit':
      return <Quit {...common} overlay={overlay} />;
    case 'permission':
      return <Permission {...common} overlay={overlay} />;
    case 'runners':
      return <Runners {...common} overlay={overlay} />;
    case 'serve':
      return <Serve {...common} overlay={overlay} />;
    case 'statistics':
      return <Statistics {...common} overlay={overlay} />;
    case 'signal':
      return <SignalInFull {...common} overlay={overlay} />;
  }
};
