-- Pictures of appraisers, by the hash of their content: public and never changed, so they need no signed address.
create table portraits (
  hash text primary key, type text not null, bytes bytea not null, created_at bigint not null);
