/**
 * Step 1, released and therefore frozen: the tables of version 1, written for PostgreSQL 15. A moment is epoch
 * milliseconds, exact over the years 1 to 9999. What callers wrote as JSON is kept as `json`, which repeats it as it was
 * given; `jsonb` would sort its keys. `customer_id` leads every key and index, so that the schema distributes by customer;
 * the tables read before a customer is known (`api_keys` by key, `payment_references`, `outbox`) have a key of their own
 * beside it.
 */

/** The tables and their indexes. */
export const step1 = `
create domain quittance.amount as bigint check (value between -9007199254740991 and 9007199254740991);
create domain quittance.moment as bigint check (value between -62135596800000 and 253402300799999);

create table quittance.commands (
  customer_id uuid not null,
  id uuid not null,
  actor text not null,
  at quittance.moment not null,
  -- False for a command whose reply was lost and which was then kept from ever landing.
  landed boolean not null default true,
  primary key (customer_id, id)
);

create table quittance.remembered (
  customer_id uuid not null,
  principal_id text not null,
  key text not null,
  request_sha256 text not null,
  answer json not null,
  at quittance.moment not null,
  primary key (customer_id, principal_id, key)
);

create table quittance.schemas (
  customer_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  name_searchable text not null,
  properties json not null,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id)
);
create index schemas_by_creation on quittance.schemas (customer_id, created_at, id);

create table quittance.partners (
  customer_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  name_searchable text not null,
  billing_mode text,
  self_billing_data jsonb,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  check ((billing_mode is not distinct from 'self_billing') = (self_billing_data is not null))
);
create index partners_by_creation on quittance.partners (customer_id, created_at, id);

create table quittance.programs (
  customer_id uuid not null,
  partner_id uuid not null,
  schema_id uuid not null,
  version integer not null check (version >= 0),
  primary key (customer_id, partner_id, schema_id),
  -- A commit locks the program first and saves the partner after, so these are checked at its end.
  foreign key (customer_id, partner_id) references quittance.partners (customer_id, id)
    deferrable initially deferred,
  foreign key (customer_id, schema_id) references quittance.schemas (customer_id, id)
    deferrable initially deferred
);

create table quittance.attributions (
  customer_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  partner_id uuid not null,
  schema_id uuid not null,
  agent_id uuid,
  external_reference text,
  status text not null check (status in ('confirmed', 'cancelled')),
  cancel_reason text,
  properties json not null,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  constraint attributions_external_reference unique (customer_id, schema_id, external_reference),
  foreign key (customer_id, partner_id) references quittance.partners (customer_id, id),
  foreign key (customer_id, schema_id) references quittance.schemas (customer_id, id),
  check ((status = 'cancelled') = (cancel_reason is not null))
);
create index attributions_by_creation on quittance.attributions (customer_id, created_at, id);
create index attributions_by_workspace on quittance.attributions (customer_id, workspace_id, created_at, id);
create index attributions_by_partner on quittance.attributions (customer_id, partner_id, created_at, id);

create table quittance.formulas (
  customer_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  partner_id uuid not null,
  schema_id uuid not null,
  currency text not null,
  name text not null,
  description text,
  start_datetime quittance.moment not null,
  end_datetime quittance.moment,
  versions json not null,
  status text not null check (status in ('active', 'cancelled')),
  cancel_reason text,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  foreign key (customer_id, partner_id) references quittance.partners (customer_id, id),
  foreign key (customer_id, schema_id) references quittance.schemas (customer_id, id),
  check (start_datetime < end_datetime),
  check ((status = 'cancelled') = (cancel_reason is not null))
);
create index formulas_by_creation on quittance.formulas (customer_id, created_at, id);
create index formulas_by_program on quittance.formulas (customer_id, partner_id, schema_id, created_at, id);

create table quittance.recomputations (
  customer_id uuid not null,
  id uuid not null,
  formula_id uuid not null,
  pending boolean not null,
  view jsonb not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  foreign key (customer_id, formula_id) references quittance.formulas (customer_id, id)
);
create index recomputations_pending on quittance.recomputations (customer_id, formula_id) where pending;

create table quittance.settlements (
  customer_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  partner_id uuid not null,
  currency text not null,
  status text not null,
  total quittance.amount not null,
  view jsonb not null,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  foreign key (customer_id, partner_id) references quittance.partners (customer_id, id)
);
create index settlements_by_creation on quittance.settlements (customer_id, created_at, id);
create index settlements_by_partner on quittance.settlements (customer_id, partner_id, created_at, id);

create table quittance.commissions (
  customer_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  partner_id uuid not null,
  attribution_id uuid not null,
  formula_id uuid not null,
  currency text not null,
  computed_amount quittance.amount,
  paid_amount quittance.amount not null,
  written_off_amount quittance.amount not null,
  pending_amount quittance.amount not null,
  open_settlement_id uuid,
  settled_line_count integer not null check (settled_line_count >= 0),
  formula_version integer,
  computation_error jsonb,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  settled_amount bigint not null generated always as (
    paid_amount + greatest(
      least(0, written_off_amount),
      least(greatest(0, written_off_amount), coalesce(computed_amount, 0) - paid_amount)
    )
  ) stored,
  -- Nothing is due exactly when what is not paid lies between nothing and what was written off.
  settlement_status text not null generated always as (
    case
      when open_settlement_id is not null then 'pending_settlement'
      when settled_line_count > 0 and computed_amount - paid_amount
        between least(0, written_off_amount) and greatest(0, written_off_amount) then 'settled'
      else 'unsettled'
    end
  ) stored,
  primary key (customer_id, id),
  constraint commissions_attribution_formula unique (customer_id, attribution_id, formula_id),
  foreign key (customer_id, attribution_id) references quittance.attributions (customer_id, id),
  foreign key (customer_id, formula_id) references quittance.formulas (customer_id, id),
  foreign key (customer_id, open_settlement_id) references quittance.settlements (customer_id, id),
  check (settled_amount between -9007199254740991 and 9007199254740991),
  check (coalesce(computed_amount, 0) - settled_amount between -9007199254740991 and 9007199254740991),
  check (open_settlement_id is not null or pending_amount = 0)
);
create index commissions_by_creation on quittance.commissions (customer_id, created_at, id);
create index commissions_by_workspace on quittance.commissions (customer_id, workspace_id, created_at, id);
create index commissions_by_partner on quittance.commissions (customer_id, partner_id, created_at, id);

create table quittance.settlement_lines (
  customer_id uuid not null,
  settlement_id uuid not null,
  position integer not null,
  commission_id uuid not null,
  amount quittance.amount not null,
  primary key (customer_id, settlement_id, position),
  constraint settlement_lines_commission unique (customer_id, commission_id, settlement_id),
  foreign key (customer_id, settlement_id) references quittance.settlements (customer_id, id),
  foreign key (customer_id, commission_id) references quittance.commissions (customer_id, id)
);

-- The open lines. The primary key is the database's own guard against settling a commission twice at once.
create table quittance.reservations (
  customer_id uuid not null,
  commission_id uuid not null,
  settlement_id uuid not null,
  primary key (customer_id, commission_id),
  foreign key (customer_id, commission_id, settlement_id)
    references quittance.settlement_lines (customer_id, commission_id, settlement_id)
);
create index reservations_by_settlement on quittance.reservations (customer_id, settlement_id);

create table quittance.documents (
  customer_id uuid not null,
  id uuid not null,
  settlement_id uuid not null,
  kind text not null,
  view jsonb not null,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  constraint documents_settlement_kind unique (customer_id, settlement_id, kind),
  foreign key (customer_id, settlement_id) references quittance.settlements (customer_id, id)
);

-- Written before anything refers to them, so no key leads here from documents.
create table quittance.document_bytes (
  customer_id uuid not null,
  document_id uuid not null,
  bytes bytea not null,
  primary key (customer_id, document_id)
);

create table quittance.document_series (
  customer_id uuid not null,
  partner_id uuid not null,
  kind text not null,
  last_number integer not null check (last_number > 0),
  primary key (customer_id, partner_id, kind),
  foreign key (customer_id, partner_id) references quittance.partners (customer_id, id)
);

create table quittance.billing_profiles (
  customer_id uuid not null,
  -- The customer's own id: one profile each.
  id uuid not null check (id = customer_id),
  view jsonb not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id)
);

create table quittance.api_keys (
  customer_id uuid not null,
  id uuid not null,
  key_id text not null,
  view jsonb not null,
  last_used_at quittance.moment,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  constraint api_keys_key_id unique (key_id)
);
create index api_keys_by_creation on quittance.api_keys (customer_id, created_at, id);

create table quittance.payment_references (
  reference uuid not null,
  customer_id uuid not null,
  settlement_id uuid not null,
  primary key (reference),
  foreign key (customer_id, settlement_id) references quittance.settlements (customer_id, id)
);

create table quittance.events (
  customer_id uuid not null,
  record_id uuid not null,
  sequence integer not null check (sequence > 0),
  kind text not null,
  at quittance.moment not null,
  actor text not null,
  event json not null,
  -- What the fold needs and nobody is shown; apart, so that lists never read it.
  stored json,
  primary key (customer_id, record_id, sequence)
);

create table quittance.outbox (
  id uuid not null,
  customer_id uuid not null,
  topic text not null,
  record_id uuid not null,
  reference text,
  available_at quittance.moment not null,
  leased_until quittance.moment not null default 0,
  attempt integer not null default 0,
  problem text,
  buried boolean not null default false,
  primary key (id)
);
create index outbox_waiting on quittance.outbox (available_at, id) where not buried;

create table quittance.rollups (
  customer_id uuid not null,
  kind text not null check (kind in ('attribution', 'commission')),
  -- Null in a row that counts every partner.
  partner_id uuid,
  -- The UTC day of creation; null in a row that counts every day.
  day integer,
  workspace_id uuid not null,
  status text not null,
  currency text,
  count bigint not null,
  settled numeric not null,
  due numeric not null,
  constraint rollups_key
    unique nulls not distinct (customer_id, kind, partner_id, day, workspace_id, status, currency)
);

-- Emptied as fast as it is filled, so that what is dead has to go soon.
create table quittance.rollup_deltas (
  customer_id uuid not null,
  kind text not null,
  partner_id uuid not null,
  day integer not null,
  workspace_id uuid not null,
  status text not null,
  currency text,
  count bigint not null,
  settled numeric not null,
  due numeric not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
create index rollup_deltas_by_kind on quittance.rollup_deltas (customer_id, kind);
`;
