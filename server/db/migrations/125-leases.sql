-- Leases for work that only one process at a time should do: holder and expiry.
create table leases (name text primary key, holder text not null, until bigint not null);
