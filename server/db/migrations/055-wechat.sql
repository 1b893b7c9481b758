-- WeChat ids of users. Such an account may have no phone number yet.
alter table users alter column mobile drop not null;
create table wechat_logins (
  app_id text not null, openid text not null, user_id text not null references users (id) on delete cascade,
  unionid text, created_at bigint not null, primary key (app_id, openid));
create index wechat_logins_by_user on wechat_logins (user_id);
create index wechat_logins_by_union on wechat_logins (unionid) where unionid is not null;
-- former ids of accounts merged into this one: keys of their pictures still contain them
create table former_ids (
  former_id text primary key, user_id text not null references users (id) on delete cascade);
create index former_ids_by_user on former_ids (user_id);
