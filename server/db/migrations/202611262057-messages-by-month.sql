-- By month of created_at. The existing table becomes the default partition, which needs no scan of its rows.
alter table messages rename to messages_default;
alter table messages_default drop constraint messages_pkey;
alter table messages_default add constraint messages_default_pkey primary key using index messages_key_with_time;
alter index messages_by_user rename to messages_default_by_user;
alter index messages_by_time rename to messages_default_by_time;
alter index messages_to_remind rename to messages_default_to_remind;
create table messages (like messages_default including defaults, primary key (id, created_at))
  partition by range (created_at);
create index messages_by_user on messages (user_id, created_at desc);
create index messages_by_time on messages (created_at);
create index messages_to_remind on messages (remind_at) where remind_at is not null;
alter table messages add foreign key (user_id) references users (id) on delete cascade;
alter table messages attach partition messages_default default;
