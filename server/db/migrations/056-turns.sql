-- Rate limits of costly calls without login.
create table turns (key text primary key, n int not null, since bigint not null);
create index turns_by_age on turns (since);
