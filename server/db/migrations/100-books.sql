-- Results of the accounting check, and receipts deleted by their owners.
create table books_checks (
  id bigint generated always as identity primary key, day bigint unique, started_at bigint not null, ended_at bigint,
  orders bigint, counts jsonb, differences jsonb);
create table deleted_receipts (order_id text primary key, at bigint not null);
