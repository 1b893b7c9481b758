import { step } from './step'

/** Who somebody is in WeChat. Such an account may have no phone number yet. */
export const wechat = step(
  'alter table users alter column mobile drop not null',
  `create table wechat_logins (
    app_id text not null, openid text not null, user_id text not null references users (id) on delete cascade,
    unionid text, created_at bigint not null, primary key (app_id, openid))`,
  'create index wechat_logins_by_user on wechat_logins (user_id)',
  'create index wechat_logins_by_union on wechat_logins (unionid) where unionid is not null',
  // ids that accounts had before they were joined to this one: their pictures keep the old name
  `create table former_ids (
    former_id text primary key, user_id text not null references users (id) on delete cascade)`,
  'create index former_ids_by_user on former_ids (user_id)',
)
