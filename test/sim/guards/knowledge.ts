import type { CreateGuard } from './guard.ts';

/** What was learnt is promoted once, after somebody approved it, and stands in the workspace then. */
export const guardKnowledge: CreateGuard = ({ session, say, journal }) => ({
  end: () => {
    let approved = 0;
    let promotions = 0;
    for (const event of journal()) {
      if (event.type === 'gate.decided' && event.gate === 'knowledge' && event.decision === 'approve')
        approved += 1;
      if (event.type !== 'knowledge.promoted') continue;
      promotions += 1;
      if (promotions > approved)
        say(`event ${event.seq}: knowledge was promoted ${promotions} times for ${approved} approvals`);
      for (const file of event.files)
        if (!session.disk.tree('/work').some((path) => path.includes('/.docs/') && path.endsWith(file)))
          say(`event ${event.seq}: ${file} was promoted and is not in the workspace`);
    }
  },
});
