import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';

interface State {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

interface LinearIssue {
  readonly id: string;
  readonly identifier: string;
  readonly title: string;
  readonly description: string;
  state: State;
  labels: string[];
  parent: string | null;
  updatedAt: string;
  readonly comments: { id: string; body: string; createdAt: string; user: { name: string } | null }[];
}

export interface LinearServer {
  readonly url: string;
  readonly issues: LinearIssue[];
  readonly states: readonly State[];
  /** The next answers, instead of what it would do. */
  readonly failures: { status: number; body: string; headers?: Readonly<Record<string, string>> }[];
  /** Requests so far. */
  requests: number;
  /** Issues of one page, whatever was asked for. */
  pageSize: number;
}

export const linearKey = 'lin_api_test';

/** A stand-in for Linear on loopback: the team ENG, in the forms of its public schema. Unknown fields of the root are refused as Linear does. */
export const linearServer = async (): Promise<LinearServer> => {
  const states: State[] = [
    ['Triage', 'triage'],
    ['Backlog', 'backlog'],
    ['Research Needed', 'unstarted'],
    ['In Progress', 'started'],
    ['In Review', 'started'],
    ['Done', 'completed'],
    ['Canceled', 'canceled'],
  ].map(([name = '', type = '']) => ({ id: `state-${name}`, name, type }));
  const relations: { issueId: string; relatedIssueId: string }[] = [];
  const labels = [{ id: 'label-i18n', name: 'i18n' }];
  let ticks = 0;
  const now = (): string => {
    ticks += 1;
    return new Date(1_760_000_000_000 + ticks * 1_000).toISOString();
  };
  const server: LinearServer = { url: '', issues: [], states, failures: [], requests: 0, pageSize: 100 };
  const find = (id: unknown) => server.issues.find((issue) => issue.id === id || issue.identifier === id);
  const shown = (issue: LinearIssue) => ({
    ...issue,
    url: `https://linear.app/acme/issue/${issue.identifier}`,
    priority: 0,
    labels: { nodes: issue.labels.map((name) => ({ name })) },
    parent: issue.parent === null ? null : { identifier: find(issue.parent)?.identifier },
    inverseRelations: {
      nodes: relations
        .filter(({ relatedIssueId }) => relatedIssueId === issue.id)
        .map(({ issueId }) => ({ type: 'blocks', issue: { identifier: find(issueId)?.identifier } })),
      pageInfo: { hasNextPage: false },
    },
    comments: { nodes: issue.comments.toReversed() },
  });
  const notFound = {
    errors: [
      { message: 'Entity not found: Issue', extensions: { code: 'INPUT_ERROR', type: 'invalid input' } },
    ],
  };

  const roots: Record<string, (variables: Record<string, unknown>) => unknown> = {
    issues: ({ after }) => {
      const from = Number(after ?? 0);
      const to = from + server.pageSize;
      return {
        nodes: server.issues.slice(from, to).map(shown),
        pageInfo: { hasNextPage: to < server.issues.length, endCursor: String(to) },
      };
    },
    issue: ({ id }) => (find(id) ? shown(find(id) ?? missing()) : null),
    workflowStates: () => ({ nodes: states }),
    teams: ({ team }) => ({ nodes: team === 'ENG' ? [{ id: 'team-1', name: 'Engineering' }] : [] }),
    issueLabels: ({ labels: wanted }) => ({
      nodes: labels.filter(({ name }) => Array.isArray(wanted) && wanted.includes(name)),
    }),
    issueCreate: ({ input }) => {
      const { title, description, labelIds, parentId } = Object(input);
      const number = server.issues.length + 1;
      const issue: LinearIssue = {
        id: `uuid-${number}`,
        identifier: `ENG-${number}`,
        title,
        description,
        state: states[1] ?? missing(),
        labels: labels.filter(({ id }) => labelIds.includes(id)).map(({ name }) => name),
        parent: parentId ?? null,
        updatedAt: now(),
        comments: [],
      };
      server.issues.push(issue);
      return { success: true, issue };
    },
    issueUpdate: ({ id, stateId }) => {
      const issue = find(id) ?? missing();
      issue.state = states.find((state) => state.id === stateId) ?? missing();
      issue.updatedAt = now();
      return { success: true };
    },
    commentCreate: ({ issueId, body }) => {
      const issue = find(issueId) ?? missing();
      const made = {
        id: `comment-${ticks}-${issue.comments.length}`,
        body: String(body),
        createdAt: now(),
        user: { name: 'Ana' },
      };
      issue.comments.push(made);
      return { success: true, comment: made };
    },
    issueRelationCreate: ({ blocker, blocked }) => {
      relations.push({ issueId: String(blocker), relatedIssueId: String(blocked) });
      return { success: true };
    },
  };

  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      server.requests += 1;
      const failure = server.failures.shift();
      const answer = (status: number, body: unknown, headers = {}): void => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      };
      if (failure) return answer(failure.status, failure.body, failure.headers);
      if (request.headers.authorization !== linearKey)
        return answer(401, {
          errors: [{ message: 'Authentication required', extensions: { code: 'AUTHENTICATION_ERROR' } }],
        });
      const { query, variables } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const wanted = [...String(query).matchAll(/^ {2}(\w+)\(/gm)].map((match) => match[1] ?? '');
      const unknown = wanted.find((name) => roots[name] === undefined);
      if (unknown !== undefined || wanted.length === 0)
        return answer(400, {
          errors: [
            {
              message: `Cannot query field "${unknown}" on type "Query".`,
              extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
            },
          ],
        });
      const data = Object.fromEntries(wanted.map((name) => [name, roots[name]?.(variables)]));
      return answer(200, data['issue'] === null ? notFound : { data });
    });
  });
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void http.close());
  const address = http.address();
  return Object.assign(server, {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/graphql`,
  });
};

const missing = (): never => {
  throw new Error('the stand-in was asked for what it does not hold');
};
