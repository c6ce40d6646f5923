/** Our tables, and those of the queue (pg-boss). */
export const poolSchema = 'ralph_pool';
export const queueSchema = 'ralph_pool_queue';
export const hostRole = 'ralph_pool_host';
export const runnerRole = 'ralph_pool_runner';
/** All that wait for jobs listen here. */
export const jobsChannel = 'ralph_pool_jobs';
/** Version of our tables. */
export const schemaVersion = 1;

/**
 * Our tables. A role sees all rows of links, but adds and changes only those of its own side: what a row says counts only when it is signed or sealed.
 */
export const tablesSql = `
create schema if not exists ${poolSchema};

create table if not exists ${poolSchema}.version (version int not null);
insert into ${poolSchema}.version select ${schemaVersion} where not exists (select from ${poolSchema}.version);

create table if not exists ${poolSchema}.runners (
  runner text primary key,
  number int generated always as identity,
  name text not null,
  process text not null,
  program text not null,
  slots int not null,
  busy int not null default 0,
  late text[] not null default '{}',
  refused jsonb not null default '{}',
  leaving boolean not null default false,
  seen_at timestamptz not null default now()
);

create table if not exists ${poolSchema}.links (
  link text primary key,
  job uuid,
  queue text not null,
  host text not null,
  session text,
  task text,
  signed text not null,
  runner text,
  process text,
  opened_at timestamptz not null default now(),
  claimed_at timestamptz,
  ended_at timestamptz
);
create index if not exists links_runner on ${poolSchema}.links (runner) where ended_at is null;
create index if not exists links_session on ${poolSchema}.links (session) where ended_at is null;

create table if not exists ${poolSchema}.rows (
  link text not null,
  side text not null check (side in ('h', 'r')),
  n bigint not null,
  body bytea not null,
  at timestamptz not null default now(),
  primary key (link, side, n)
);
create index if not exists rows_at on ${poolSchema}.rows (at);
alter table ${poolSchema}.rows enable row level security;
`;

/** The rights of both roles: each is the least with which the tests of this room pass. */
export const rightsSql = `
${[hostRole, runnerRole]
  .map(
    (role) => `
do $$ begin if not exists (select from pg_roles where rolname = '${role}') then create role ${role} login; end if; end $$;
grant usage on schema ${poolSchema}, ${queueSchema} to ${role};
grant select on ${poolSchema}.version, ${poolSchema}.runners, ${poolSchema}.links to ${role};
grant select, insert, update, delete on ${poolSchema}.rows to ${role};
grant select on ${queueSchema}.version, ${queueSchema}.queue to ${role};
`,
  )
  .join('')}
grant insert, delete on ${poolSchema}.links to ${hostRole};
grant insert, update on ${poolSchema}.runners to ${runnerRole};
grant update (runner, process, claimed_at, ended_at) on ${poolSchema}.links to ${runnerRole};

drop policy if exists host_reads on ${poolSchema}.rows;
drop policy if exists host_writes on ${poolSchema}.rows;
drop policy if exists host_removes on ${poolSchema}.rows;
drop policy if exists host_changes on ${poolSchema}.rows;
drop policy if exists runner_reads on ${poolSchema}.rows;
drop policy if exists runner_writes on ${poolSchema}.rows;
drop policy if exists runner_removes on ${poolSchema}.rows;
drop policy if exists runner_changes on ${poolSchema}.rows;
create policy host_reads on ${poolSchema}.rows for select to ${hostRole} using (true);
create policy host_writes on ${poolSchema}.rows for insert to ${hostRole} with check (side = 'h');
create policy host_changes on ${poolSchema}.rows for update to ${hostRole} using (side = 'h') with check (side = 'h');
create policy host_removes on ${poolSchema}.rows for delete to ${hostRole} using (true);
create policy runner_reads on ${poolSchema}.rows for select to ${runnerRole} using (true);
create policy runner_writes on ${poolSchema}.rows for insert to ${runnerRole} with check (side = 'r');
create policy runner_changes on ${poolSchema}.rows for update to ${runnerRole} using (side = 'r') with check (side = 'r');
create policy runner_removes on ${poolSchema}.rows for delete to ${runnerRole} using (true);

grant select, insert, update, delete on all tables in schema ${queueSchema} to ${hostRole};
grant select, update on ${queueSchema}.job_common to ${runnerRole};
`;

/** Where the process or the runner of this name hears. */
export const channelOf = (name: string): string => `ralph_pool_${name}`;
/** Where a runner hears that a host asks about itself. */
export const visitsOf = (runner: string): string => `ralph_pool_visit_${runner}`;
/** A host among those that share the pool: the start of its public key. */
export const groupOf = (publicKey: string): string => publicKey.slice(0, 16);
