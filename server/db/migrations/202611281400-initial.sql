-- The schema of the first release. Tables are grouped as the domains in server/domains; an index stands beside its table.
-- Times (columns *_at and at) are milliseconds since 1970, amounts (*_fen) are integer fen, ids are text.
-- *_sealed is encrypted with a key of the operator, *_hash cannot be turned back.

-- Accounts of users

create table users (
  id text primary key,
  mobile text unique,
  nickname text not null,
  avatar text not null,
  settings jsonb not null,
  created_at bigint not null,
  password_hash text,
  deletion_at bigint,
  deletion_reason text,
  erased boolean not null default false,
  channel text not null default '',
  invited_by text,
  code_net text,
  code_client text
);
comment on table users is 'A person who uses the product.';
comment on column users.mobile is 'null: signed up through WeChat and has not given a number yet';
comment on column users.password_hash is 'argon2id, with its salt and parameters';
comment on column users.deletion_at is 'when a requested account deletion is carried out';
comment on column users.erased is 'the deletion was carried out; the row is kept for accounting';
comment on column users.channel is 'code of the channel that brought a new user; empty: none';
comment on column users.invited_by is 'the unlock record whose link brought a new user';
comment on column users.code_net is 'keyed hash of the network of the last sign-in by code; null: none';
comment on column users.code_client is 'keyed hash of the device of the last sign-in by code; null: none';
create index users_leaving on users (deletion_at) where deletion_at is not null and not erased;

create table sessions (
  token_hash text primary key,
  user_id text not null references users on delete cascade,
  created_at bigint not null,
  expires_at bigint not null,
  id text not null unique,
  device text not null,
  seen_at bigint not null
);
comment on table sessions is 'Logins of users; a row is one device.';
comment on column sessions.token_hash is 'SHA-256 of the token; the token itself is not stored';
comment on column sessions.id is 'may be shown to the owner';
comment on column sessions.device is 'description of the device for its owner';
create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

create table sms_codes (
  id bigint generated always as identity primary key,
  mobile text not null,
  scene int not null,
  code_hash text not null,
  ip text not null,
  sent_at bigint not null,
  expires_at bigint not null,
  wrong int not null default 0,
  used boolean not null default false,
  client text,
  wrong_elsewhere int not null default 0,
  accepted_at bigint
);
comment on table sms_codes is 'Login and confirmation codes sent by SMS.';
comment on column sms_codes.ip is 'keyed hash of the network that requested it';
comment on column sms_codes.wrong is 'wrong attempts from the network that requested it';
comment on column sms_codes.client is 'keyed hash of the device''s id';
comment on column sms_codes.wrong_elsewhere is 'wrong attempts from all other networks';
comment on column sms_codes.accepted_at is 'when the carrier accepted it; null before';
create index sms_codes_by_mobile on sms_codes (mobile, sent_at);
create index sms_codes_by_ip on sms_codes (ip, sent_at);
create index sms_codes_by_client on sms_codes (client, sent_at) where client is not null;
create index sms_codes_by_time on sms_codes (sent_at);

create table password_tries (
  key text primary key,
  wrong int not null,
  since bigint not null
);
comment on table password_tries is 'Wrong passwords and codes by person and network, which lock further attempts.';
comment on column password_tries.key is 'a mobile number, `ip:` and the keyed hash of a network, or for the desk a name, such a hash, or both';
comment on column password_tries.since is 'first wrong attempt of the window; the last one while locked';
create index password_tries_by_time on password_tries (since);

create table wechat_logins (
  app_id text not null,
  openid text not null,
  user_id text not null references users on delete cascade,
  unionid text,
  created_at bigint not null,
  primary key (app_id, openid)
);
comment on table wechat_logins is 'A user''s WeChat id, by app.';
comment on column wechat_logins.unionid is 'id of the person over all apps of the operator, where WeChat tells it';
create index wechat_logins_by_user on wechat_logins (user_id);
create index wechat_logins_by_union on wechat_logins (unionid) where unionid is not null;

create table former_ids (
  former_id text primary key,
  user_id text not null references users on delete cascade
);
comment on table former_ids is 'A former id of an account that was merged into another: keys of its pictures still contain it.';
create index former_ids_by_user on former_ids (user_id);

create table real_names (
  user_id text primary key references users on delete cascade,
  status text not null check (status in ('PENDING', 'PASSED', 'FAILED')),
  name_sealed text,
  id_no_sealed text,
  id_hash text,
  adult_at bigint,
  reason text,
  tries_on text not null,
  tries int not null,
  updated_at bigint not null
);
comment on table real_names is 'Real-name verification of a user; name and number are encrypted.';
comment on column real_names.id_hash is 'keyed hash of the number, to count the accounts that use it';
comment on column real_names.adult_at is 'ms of the 18th birthday';
comment on column real_names.tries_on is 'day (in China) to which tries applies';
create index real_names_by_id on real_names (id_hash) where status = 'PASSED';

create table left_mobiles (
  mobile_hash text primary key,
  left_at bigint not null
);
comment on table left_mobiles is 'Keyed hash of the mobile number of a deleted account.';
create index left_mobiles_by_time on left_mobiles (left_at);

create table feedback (
  id text primary key,
  user_id text not null references users on delete cascade,
  type int not null,
  content text not null,
  images jsonb not null,
  contact_sealed text,
  status text not null default 'SUBMITTED' check (status in ('SUBMITTED', 'PROCESSING', 'REPLIED')),
  reply text,
  replied_at bigint,
  created_at bigint not null
);
comment on table feedback is 'Complaints and suggestions of users.';
create index feedback_by_user on feedback (user_id, created_at desc);
create index feedback_waiting on feedback (created_at) where status <> 'REPLIED';

create table data_exports (
  id text primary key,
  user_id text not null references users on delete cascade,
  status text not null check (status in ('WAITING', 'READY', 'FAILED')),
  requested_at bigint not null,
  tries int not null default 0,
  key text,
  bytes bigint,
  ready_at bigint,
  expire_at bigint not null
);
comment on table data_exports is 'A data export that a user requested (domains/accounts/data-export).';
comment on column data_exports.key is 'object key of the ZIP file';
comment on column data_exports.expire_at is 'when row and file are removed';
create index data_exports_by_user on data_exports (user_id, requested_at desc);
create index data_exports_waiting on data_exports (requested_at) where status = 'WAITING';
create index data_exports_by_end on data_exports (expire_at);

create table screenshot_tasks (
  id text primary key,
  user_id text not null references users on delete cascade,
  game_id text not null,
  keys jsonb not null,
  status text not null check (status in ('WAITING', 'READING', 'DONE', 'FAILED')),
  pages jsonb not null default '[]',
  result jsonb,
  tries int not null default 0,
  processor_ms int not null default 0,
  claimed_at bigint,
  created_at bigint not null,
  expire_at bigint not null
);
comment on table screenshot_tasks is 'Screenshots from which a form is filled in (domains/screenshots).';
comment on column screenshot_tasks.keys is 'object keys of the pictures';
comment on column screenshot_tasks.pages is 'what was recognised on the pictures read so far';
comment on column screenshot_tasks.tries is 'failures since a picture was last read';
comment on column screenshot_tasks.processor_ms is 'processor time that its pictures took';
comment on column screenshot_tasks.claimed_at is 'when a process began to read its newest picture';
comment on column screenshot_tasks.expire_at is 'when row and pictures are removed';
create index screenshot_tasks_by_user on screenshot_tasks (user_id);
create index screenshot_tasks_due on screenshot_tasks (created_at) where status in ('WAITING', 'READING');
create index screenshot_tasks_by_end on screenshot_tasks (expire_at);

create table uploads (
  key text primary key,
  user_id text not null references users on delete cascade,
  bytes bigint not null,
  type text not null,
  created_at bigint not null,
  checked_at bigint not null default 0
);
comment on table uploads is 'Pictures in the embedded storage.';
comment on column uploads.checked_at is 'when it was last found to be in use, 0 = never checked';
create index uploads_by_user on uploads (user_id);
create index uploads_by_check on uploads (checked_at);

-- Staff and the desk

create table staff (
  staff_id text primary key,
  role text not null check (role in ('CONSULTANT', 'APPRAISER', 'ADMIN')),
  no text not null unique,
  nick text not null,
  avatar text not null default '',
  years int not null default 0,
  wecom_qr text not null default '',
  kf_url text not null default '',
  corp_id text not null default '',
  game_ids jsonb not null default '[]',
  active boolean not null default true,
  sandbox boolean not null default false,
  sort int not null default 0,
  intro text not null default ''
);
comment on table staff is 'People who appraise, advise or administer.';
comment on column staff.no is 'public number, for example A017';
comment on column staff.game_ids is 'empty = all games';
comment on column staff.sandbox is 'a demo appraiser, only in the sandbox';
comment on column staff.intro is 'an appraiser''s own introduction';

create table staff_logins (
  staff_id text primary key references staff on delete cascade,
  name text not null unique,
  password_hash text not null,
  must_change boolean not null,
  created_at bigint not null
);
comment on table staff_logins is 'Credentials of staff for the desk.';
comment on column staff_logins.password_hash is 'argon2id';
comment on column staff_logins.must_change is 'the password was set by somebody else and must be changed before anything else';

create table staff_sessions (
  token_hash text primary key,
  staff_id text not null references staff_logins on delete cascade,
  created_at bigint not null,
  expires_at bigint not null,
  seen_at bigint
);
comment on table staff_sessions is 'Logins of staff at the desk.';
comment on column staff_sessions.token_hash is 'SHA-256 of the cookie';
comment on column staff_sessions.seen_at is 'last use, to the minute; null: not used yet';
create index staff_sessions_by_staff on staff_sessions (staff_id);

create table desk_log (
  id bigint generated always as identity primary key,
  at bigint not null,
  staff_id text not null,
  action text not null,
  order_id text,
  subject text not null default '',
  note text not null default ''
);
comment on table desk_log is 'Audit log of the desk; append-only, kept for five years.';
comment on column desk_log.action is 'see domains/staff/log.ts';
comment on column desk_log.subject is 'other object of the action: a feedback, a login';
comment on column desk_log.note is 'free of personal data';
create index desk_log_by_time on desk_log (at);

create table banners (
  id int generated always as identity primary key,
  place text not null,
  title text not null,
  picture text not null default '',
  link text not null default '',
  link_type text not null check (link_type in ('PAGE', 'WEB', 'NONE')),
  sort int not null default 0,
  active boolean not null default true,
  updated_at bigint not null
);
comment on table banners is 'A banner on the home page, set by staff; without a picture a line of notice.';
comment on column banners.picture is 'file among the content folder''s pictures, '''' = none';
insert into banners (place, title, picture, link, link_type, sort, updated_at) values
  ('HOME', '索要游戏验证码的，都是骗子', 'banner-safe.webp', '/pagesA/pages/home/news/detail?id=anti-fraud-five', 'PAGE', 1, 0),
  ('HOME', '价格怎么算出来的，误差有多大', 'banner-method.webp', '/pagesA/pages/home/article/index?key=METHOD', 'PAGE', 2, 0),
  ('HOME', '领券中心：人工估价可用的优惠券', 'banner-coupon.webp', '/pagesA/pages/home/couponCenter/index', 'PAGE', 3, 0);

create table counters (
  key text not null,
  biz_id text not null,
  n bigint not null,
  primary key (key, biz_id)
);
comment on table counters is 'Counters of visits, votes and reported articles.';

-- Games and their forms

create table games (
  game_id text primary key,
  config jsonb not null,
  icon text not null,
  letter text not null,
  search text not null,
  hot int not null default 0,
  sort int not null default 0,
  updated_at bigint not null
);
comment on table games is 'The games that can be valued, each with its form.';
comment on column games.letter is 'capital first letter of the pinyin, ''#'' for the rest';
comment on column games.search is 'further search terms: full pinyin and initials, lower case, separated by spaces';
comment on column games.hot is 'rank in the hot list, 0 = not in it';

create table form_configs (
  digest text primary key,
  config jsonb not null
);
comment on table form_configs is 'Snapshots of the forms that reports were made with, by the SHA-256 of their text.';

create table game_requests (
  id text primary key,
  user_id text not null references users on delete cascade,
  name text not null,
  name_key text not null,
  platform text not null,
  remark text not null,
  created_at bigint not null,
  unique (user_id, name_key)
);
comment on table game_requests is 'A game requested by a user.';

-- Sales and the market

create table sales (
  id bigint generated always as identity primary key,
  game_id text not null,
  kind text not null check (kind in ('SOLD', 'ASKING')),
  price_fen bigint not null check (price_fen > 0),
  at bigint not null,
  source text not null,
  external_id text not null,
  attributes jsonb not null,
  listed_at bigint,
  channel text not null default 'IMPORT',
  residual real,
  reporter text,
  device text,
  unique (source, external_id)
);
comment on table sales is 'One sale or listing of an account. `source + external_id` makes imports repeatable.';
comment on column sales.listed_at is 'when it was first listed';
comment on column sales.residual is 'log of the price over the market''s expectation on arrival';
comment on column sales.reporter is 'keyed hash of the person who reported it, removed when that person deletes the account';
comment on column sales.device is 'keyed hash of the device it was reported from, removed with the person';
comment on column sales.kind is 'SOLD: a sale, ASKING: a listing';
comment on column sales.channel is 'where the price comes from';
create index sales_by_game on sales (game_id, at);
create index sales_by_reporter on sales (reporter) where reporter is not null;
create index sales_by_arrival on sales (game_id, id);

create table held_sales (
  id bigint generated always as identity primary key,
  game_id text not null,
  kind text not null,
  price_fen bigint not null,
  at bigint not null,
  listed_at bigint,
  source text not null,
  external_id text not null,
  attributes jsonb not null,
  channel text not null,
  reporter text,
  reason text not null,
  market_fen bigint,
  residual real,
  held_at bigint not null,
  refused_at bigint,
  device text,
  detail text,
  unique (source, external_id)
);
comment on table held_sales is 'A sale that waits for a decision of the desk, or one of a partner that was refused there.';
comment on column held_sales.market_fen is 'the market''s expectation on arrival';
comment on column held_sales.detail is 'more about the reason, for staff';
comment on column held_sales.refused_at is 'kept from then on, because its partner may send it again';
create index held_sales_open on held_sales (held_at) where refused_at is null;
create index held_sales_by_reporter on held_sales (reporter) where reporter is not null;

create table partners (
  partner_id text primary key,
  name text not null unique,
  secret_sealed text not null,
  created_at bigint not null,
  stopped_at bigint,
  moved_level text,
  checked_sale bigint not null default 0
);
comment on table partners is 'A partner that sends sales.';
comment on column partners.partner_id is 'also the public key of its calls';
comment on column partners.stopped_at is 'its calls are refused from then on';
comment on column partners.moved_level is 'how its prices have moved away from the market, for staff: until they decide its rows are held, and those stored are left out of all figures';
comment on column partners.checked_sale is 'id of the newest sale when staff last decided so: later ones are compared';
comment on column partners.secret_sealed is 'encrypted key with which its calls are signed';

create table partner_sources (
  source text primary key,
  partner_id text not null references partners
);
comment on table partner_sources is 'The partner that a source of sales belongs to.';

create table market_statistics (
  game_id text primary key,
  body jsonb not null,
  made_at bigint not null
);
comment on table market_statistics is 'Figures computed once a day from a game''s sales.';

-- Models

create table models (
  id bigint generated always as identity primary key,
  game_id text not null,
  body text not null,
  schema_version int not null,
  sample_n int not null,
  synthetic boolean not null,
  active boolean not null,
  trained_at bigint not null,
  newest_sale bigint not null,
  refused text,
  format int not null,
  synthetic_share real not null,
  n int,
  champion_error real,
  challenger_error real,
  moved real,
  accuracy jsonb
);
comment on table models is 'Trained models and refused trainings.';
comment on column models.body is 'the engine''s Model as JSON text';
comment on column models.synthetic is 'trained only or mostly on generated sales, which every report discloses';
comment on column models.newest_sale is 'id of the newest sale it was trained on';
comment on column models.refused is 'why this training was rejected, as a sentence; null for a model';
comment on column models.format is 'format of the body; an engine reads one format only';
comment on column models.synthetic_share is 'share of generated sales, 0 to 1';
comment on column models.n is 'sales on which it was compared with the one in use at its training';
comment on column models.champion_error is 'mean error of the one in use on these sales';
comment on column models.challenger_error is 'its own';
comment on column models.moved is 'median change of the prices of a fixed panel, without its sign';
comment on column models.accuracy is 'how well it predicted sales later than its training data; null: too few to tell';
create unique index models_one_active on models (game_id) where active;
create index models_by_game on models (game_id, id desc);

create table model_monitoring (
  game_id text not null,
  day bigint not null,
  model_id bigint not null,
  n int not null,
  median_error real not null,
  coverage real not null,
  unknown_share real not null,
  stability real not null,
  primary key (game_id, day, model_id)
);
comment on table model_monitoring is 'Figures of a model on sales it has not seen, by day.';
comment on column model_monitoring.day is 'ms: start of the day (UTC)';
comment on column model_monitoring.unknown_share is 'share of items and options that the model does not know';
comment on column model_monitoring.stability is 'population stability index of the prices';

create table training_orders (
  game_id text primary key,
  at bigint not null
);
comment on table training_orders is 'A training of a game, by order of staff or after a withdrawal: due from `at` on.';

-- Orders and their appraisals

create table orders (
  id text primary key,
  order_no text not null unique,
  user_id text not null references users,
  game_id text not null,
  mode text not null,
  status text not null,
  pay_status text not null,
  title text not null,
  created_at bigint not null,
  deleted_at bigint,

  -- the account
  source text not null,
  schema_version int not null,
  answers jsonb not null,
  paid_answers jsonb,
  images jsonb not null default '[]',
  remark text not null default '',
  ask_fen bigint,
  request_key text not null,
  collection_task_id text,

  -- the price of the service
  level text,
  origin_fen bigint not null,
  discount_fen bigint not null,
  pay_fen bigint not null,
  coupon_id text,
  pay_type text,
  agreed_at bigint,
  pay_expire_at bigint,
  paid_at bigint,

  -- the appraiser's work
  appraiser_id text,
  assigned_at bigint,
  due_at bigint,
  reassigned_at bigint,
  info_wanted text,
  info_due_at bigint,
  late_coupon_at bigint,
  urged_at bigint,
  urges int not null default 0,
  asked_at bigint,

  -- its end
  report_no text,
  reported_at bigint,
  done_at bigint,
  cancel_reason text,
  refund_from text,
  refund_due_at bigint,
  refund_answer text,
  embeds_ended_at bigint,

  -- revaluations
  revalue_of text unique,
  revaluation_coupon_id text,
  revalued boolean not null default false,
  revaluation_request text,

  -- rating and sale
  evaluated_at bigint,
  added_at bigint,
  sold_fen bigint,
  sold_at bigint,
  follow_up_at bigint
);
comment on table orders is 'A request for a valuation, by the model (AI) or by an appraiser (MANUAL).';
comment on column orders.source is 'source of the answers, which determines how far the engine trusts them';
comment on column orders.ask_fen is 'asking price of the listing that was pasted, for the report';
comment on column orders.request_key is 'hash of the request, to detect duplicate submissions';
comment on column orders.level is 'manual orders: service level, which sets the price';
comment on column orders.images is 'object keys of screenshots';
comment on column orders.agreed_at is 'when the buyer last agreed that the report is not refunded; without it no payment begins';
comment on column orders.pay_expire_at is 'when an unpaid manual order closes, and when coupons held for an AI order are released';
comment on column orders.assigned_at is 'when an appraiser accepted it; null also while the job has given it to one who has not begun';
comment on column orders.info_wanted is 'information the appraiser requested';
comment on column orders.refund_from is 'status to which a refused refund returns';
comment on column orders.refund_due_at is 'REFUNDING: when an unanswered request counts as granted; null = granted, the payment is being returned';
comment on column orders.refund_answer is 'reason of a refusal, for the user';
comment on column orders.revalued is 'the single free revaluation has been used, or is lost because the provider paid the delivered order back';
comment on column orders.deleted_at is 'when the owner removed the finished order from the list';
comment on column orders.collection_task_id is 'the collection that gave its answers';
comment on column orders.revalue_of is 'number of the expired report that this order values again for free';
comment on column orders.added_at is 'when the single addition to the rating was made';
comment on column orders.revaluation_coupon_id is 'coupon given to the owner for it, with which a revaluation is free';
comment on column orders.sold_fen is 'actual sale price of the account as reported to staff; null: not known';
comment on column orders.embeds_ended_at is 'embedding addresses issued before this time are invalid';
comment on column orders.reassigned_at is 'when it was reassigned automatically before its time limit; once per limit, and per price that is awaited';
comment on column orders.asked_at is 'time of the first question to the appraiser that is not answered; null = none';
comment on column orders.revaluation_request is 'why its owner asked for it';
comment on column orders.follow_up_at is 'when the owner is next asked about the sale; null: a week after the report; 0: no more';
comment on column orders.paid_answers is 'the answers that were paid for; null: they have not been changed since';
comment on column orders.info_due_at is 'time limit for that information';
comment on column orders.evaluated_at is 'when its owner rated it';
create index orders_by_user on orders (user_id, created_at desc);
create index orders_running on orders (status) where status not in ('DONE', 'EXPIRED', 'REFUNDED', 'CANCELED', 'CLOSED');
create index orders_by_collection_task on orders (collection_task_id) where collection_task_id is not null;
create index orders_by_time on orders (created_at);
create index orders_by_report on orders (mode, status, reported_at) where status in ('REPORTED', 'UNLOCKED');
create index orders_to_pay on orders (pay_expire_at) where pay_expire_at is not null and status in ('UNPAID', 'REPORTED');
create index orders_asked on orders (asked_at) where asked_at is not null;
create index orders_to_follow_up on orders (coalesce(follow_up_at, reported_at + 604800000)) where reported_at is not null;

create table order_events (
  id bigint generated always as identity primary key,
  order_id text not null references orders,
  at bigint not null,
  from_status text,
  to_status text not null,
  actor text not null default 'system',
  note text not null default ''
);
comment on table order_events is 'Changes of the status of orders; append-only, kept for five years.';
comment on column order_events.actor is 'see orders/order-transitions.ts';
create index order_events_by_order on order_events (order_id);
create index order_events_by_time on order_events (at);

create table appraisals (
  order_id text not null references orders on delete cascade,
  version int not null,
  staff_id text not null references staff,
  price_fen bigint not null,
  comment text not null,
  at bigint not null,
  work jsonb not null,
  primary key (order_id, version, staff_id)
);
comment on table appraisals is 'One appraiser''s price for one version of a manual report.';
comment on column appraisals.version is 'version of the report it belongs to';
comment on column appraisals.work is 'the appraisal''s details';
create index appraisals_by_staff on appraisals (staff_id);

create table appraisal_drafts (
  order_id text not null references orders on delete cascade,
  staff_id text not null references staff,
  blind_fen bigint,
  blind_at bigint,
  draft jsonb not null default '{}',
  draft_at bigint,
  primary key (order_id, staff_id)
);
comment on table appraisal_drafts is 'What an appraiser stores of an order before delivery, with the blind estimate.';
comment on column appraisal_drafts.blind_fen is 'own estimate, given before the model''s price is shown; never changed';
comment on column appraisal_drafts.draft is 'delivery form as last saved';

create table reviews (
  order_id text primary key references orders,
  user_id text not null,
  score int not null,
  accuracy text not null,
  speed int,
  service int,
  tags jsonb not null,
  content text not null,
  images jsonb not null,
  anonymous boolean not null,
  sold_fen bigint,
  sold_at bigint,
  sold_platform text,
  created_at bigint not null,
  addition text,
  addition_images jsonb,
  added_at bigint
);
comment on table reviews is 'The owner''s rating of a valuation.';
comment on column reviews.addition is 'the single later addition';
create index reviews_by_user on reviews (user_id);

create table sale_followups (
  order_id text primary key references orders on delete cascade,
  user_id text not null,
  game_id text not null,
  outcome text not null,
  platform text not null default '',
  list_fen bigint,
  listed_at bigint,
  sold_fen bigint,
  sold_at bigint,
  image text,
  told_at bigint not null,
  sale_id text not null,
  coupon_id text
);
comment on table sale_followups is 'An owner''s report about the sale of a valued account.';
comment on column sale_followups.image is 'object key of a screenshot of the sale';
comment on column sale_followups.told_at is 'time of the report';
comment on column sale_followups.sale_id is '`external_id` of the sale that it is or was';
comment on column sale_followups.coupon_id is 'the thank-you coupon';
create index sale_followups_by_user on sale_followups (user_id);
create index sale_followups_by_sale on sale_followups (sale_id);

-- Collections of account facts

create table collection_tasks (
  id text primary key,
  user_id text not null references users on delete cascade,
  game_id text not null,
  login_type text not null,
  schema_version int not null,
  status text not null,
  lookup jsonb not null,
  ref text,
  webview_url text,
  qr text,
  qr_expire_at bigint,
  qr_refreshes int not null default 0,
  progress int not null default 0,
  fail_code text,
  order_id text references orders,
  raw jsonb,
  features jsonb,
  corrections jsonb,
  read_at bigint,
  created_at bigint not null,
  changed_at bigint not null,
  expire_at bigint not null,
  forgotten_at bigint,
  listing_fen bigint
);
comment on table collection_tasks is 'A collection of an account''s facts, authorised by its owner.';
comment on column collection_tasks.lookup is 'server and public id, for the collector';
comment on column collection_tasks.ref is 'the collector''s id of the collection';
comment on column collection_tasks.progress is 'progress of the collection, 0 to 100';
comment on column collection_tasks.order_id is 'the order that waits for the collection';
comment on column collection_tasks.raw is 'result of the collector as it was sent, kept for 7 days';
comment on column collection_tasks.features is 'answers by the forms keys, kept for 180 days';
comment on column collection_tasks.corrections is 'later corrections by the user: key → value that was read';
comment on column collection_tasks.forgotten_at is 'when the user deleted it';
comment on column collection_tasks.listing_fen is 'asking price of the listing that was pasted before, with its owner''s consent, until the order is valued';
create unique index collection_tasks_one_running on collection_tasks (user_id, game_id) where status in ('CREATED', 'WAIT_SCAN', 'SCANNED', 'COLLECTING', 'VALUING');
create index collection_tasks_by_order on collection_tasks (order_id);
create index collection_tasks_kept on collection_tasks (read_at) where features is not null;
create index collection_tasks_by_user on collection_tasks (user_id);
create index collection_tasks_by_read on collection_tasks (read_at) where raw is not null;

create table collection_task_events (
  id bigint generated always as identity primary key,
  task_id text not null references collection_tasks on delete cascade,
  at bigint not null,
  from_status text,
  to_status text not null
);
comment on table collection_task_events is 'Changes of the status of collections; append-only.';
create index collection_task_events_by_task on collection_task_events (task_id);

-- Reports

create table reports (
  report_no text primary key,
  order_id text not null references orders,
  user_id text not null,
  game_id text not null,
  version int not null,
  status text not null,
  model_id bigint references models,
  inputs jsonb not null,
  body jsonb not null,
  predict_fen bigint not null,
  created_at bigint not null,
  valid_until bigint not null,
  account_id text not null,
  moved_model int,
  moved_fen bigint,
  digest text not null,
  unique (order_id, version)
);
comment on table reports is 'Results of valuations; each revaluation of an order adds a version.';
comment on column reports.model_id is 'null: a report by an appraiser';
comment on column reports.inputs is 'input of the engine, so that the report can be recomputed to the fen; `form`: digest in form_configs';
comment on column reports.body is 'the whole valuation; parts the reader may not see are removed on output';
comment on column reports.account_id is 'all reports of one user''s account share it, see games/account-identity.ts';
comment on column reports.moved_model is 'model with which its price was last compared; null: its own';
comment on column reports.moved_fen is 'price last reported to its owner; null: its own';
comment on column reports.digest is 'hash of the body as it was made (reports/publishing/verification.ts)';
create index reports_by_time on reports (created_at desc);
create index reports_by_account on reports (user_id, game_id, account_id, created_at desc);
create index reports_to_compare on reports (game_id, created_at) where model_id is not null;
create index reports_by_model on reports (model_id);
create index reports_featured on reports (created_at desc, game_id) where status = 'UNLOCKED' and body -> 'confidence' ->> 'level' = 'HIGH';

create table account_names (
  user_id text not null references users,
  account_id text not null,
  name text not null,
  primary key (user_id, account_id)
);
comment on table account_names is 'Names that users give their accounts.';

create table report_shares (
  token text primary key,
  report_no text not null references reports on delete cascade,
  user_id text not null references users on delete cascade,
  created_at bigint not null,
  revoked_at bigint
);
comment on table report_shares is 'A shared report; the token gives access to it.';
create unique index report_shares_live on report_shares (report_no) where revoked_at is null;
create index report_shares_by_report on report_shares (report_no);
create index report_shares_by_user on report_shares (user_id);

create table price_move_cursors (
  game_id text primary key,
  model_id bigint not null,
  at bigint not null,
  report_no text not null
);
comment on table price_move_cursors is 'How far the reports of a game were compared with its active model.';
comment on column price_move_cursors.at is 'time of the last report looked at';
comment on column price_move_cursors.report_no is 'number of the last report looked at';

-- Coupons

create table coupon_templates (
  template_id text primary key,
  name text not null,
  type text not null check (type in ('CASH_OFF', 'DIRECT', 'PERCENT', 'FREE')),
  amount_fen bigint not null default 0 check (amount_fen >= 0),
  percent int check (percent >= 1 and percent <= 99),
  cap_fen bigint,
  threshold_fen bigint not null default 0 check (threshold_fen >= 0),
  scope text not null check (scope in ('ALL', 'AI', 'MANUAL', 'GAME')),
  game_ids jsonb not null default '[]',
  total int not null default -1,
  given int not null default 0,
  per_user int not null default 1,
  valid_type text not null check (valid_type in ('DATE', 'DAYS')),
  start_at bigint,
  end_at bigint,
  days int,
  receive_start_at bigint,
  receive_end_at bigint,
  listed boolean not null default false,
  sort int not null default 0,
  check (total < 0 or given <= total)
);
comment on table coupon_templates is 'Kinds of coupons.';
comment on column coupon_templates.percent is 'PERCENT: 80 means the user pays 80 %';
comment on column coupon_templates.total is '-1 = no limit';
comment on column coupon_templates.listed is 'shown in the coupon centre; others are only granted by rules';
comment on column coupon_templates.valid_type is 'DATE: from start_at to end_at, DAYS: a number of days from its receipt';

create table user_coupons (
  coupon_id text primary key,
  template_id text not null references coupon_templates,
  user_id text not null references users,
  nth int not null,
  status text not null check (status in ('UNUSED', 'LOCKED', 'USED', 'EXPIRED')),
  start_at bigint not null,
  end_at bigint not null,
  received_at bigint not null,
  used_at bigint,
  order_id text,
  warned boolean not null default false,
  withdrawn boolean not null default false,
  unique (template_id, user_id, nth),
  check ((order_id is not null) = (status in ('LOCKED', 'USED')))
);
comment on table user_coupons is 'Coupons of users.';
comment on column user_coupons.nth is 'running number of this template for this user, from 1';
comment on column user_coupons.order_id is 'set while LOCKED or USED';
comment on column user_coupons.warned is 'the user has been notified that it is about to expire';
comment on column user_coupons.withdrawn is 'taken back: never UNUSED again';
create index user_coupons_by_user on user_coupons (user_id, status);
create unique index user_coupons_one_per_order on user_coupons (order_id) where order_id is not null;
create index user_coupons_ending on user_coupons (end_at) where status = 'UNUSED';

-- Payments and the ledger

create table payments (
  id text primary key,
  order_id text not null references orders,
  user_id text not null references users,
  pay_type text not null,
  provider text not null,
  amount_fen bigint not null check (amount_fen >= 0),
  coupon_id text,
  openid text,
  return_url text not null,
  origin text not null,
  status text not null check (status in ('CREATED', 'FAILED', 'CLOSING', 'CLOSED', 'PAID')),
  txn text,
  created_at bigint not null,
  expire_at bigint not null,
  paid_at bigint,
  asked_at bigint,
  next_ask_at bigint,
  asks int not null default 0,
  ship_at bigint,
  shipped_at bigint,
  refunded_fen bigint check (refunded_fen >= 0),
  provider_refunds jsonb not null default '{}',
  unique (provider, txn),
  check ((status = 'PAID') = (txn is not null))
);
comment on table payments is 'One payment attempt of an order; the id is its number at the provider.';
comment on column payments.provider is '`none`: the amount was 0';
comment on column payments.status is 'CLOSING: the provider has not confirmed yet that it accepts no more money';
comment on column payments.txn is 'the provider''s transaction number, set with PAID';
comment on column payments.next_ask_at is 'when the provider is queried next; null = never';
comment on column payments.ship_at is 'mini-program: when the delivery is reported to WeChat next';
comment on column payments.shipped_at is 'when WeChat confirmed the delivery';
comment on column payments.refunded_fen is 'what the provider says it has paid back; 0 = it did not say how much, null = nothing';
comment on column payments.provider_refunds is 'the parts of `refunded_fen` by the provider''s numbers';
comment on column payments.asked_at is 'when the provider was last queried';
create index payments_by_order on payments (order_id, created_at);
create index payments_to_ask on payments (next_ask_at) where next_ask_at is not null;
create index payments_to_ship on payments (paid_at) where shipped_at is null and status = 'PAID' and provider = 'wechat' and pay_type = 'WX_MINI';
create index payments_refunded on payments (id) where refunded_fen is not null;
create index payments_by_user on payments (user_id);
create index payments_by_time on payments (created_at);

create table payment_notifications (
  id bigint generated always as identity primary key,
  provider text not null,
  digest text not null,
  subject text not null,
  outcome text not null,
  at bigint not null,
  unique (provider, digest)
);
comment on table payment_notifications is 'Notifications of payment providers that were processed; kept for five years.';
comment on column payment_notifications.digest is 'SHA-256 of the exact body';
comment on column payment_notifications.subject is 'id of the payment or refund';
comment on column payment_notifications.outcome is 'what it changed';
create index payment_notifications_by_time on payment_notifications (at);

create table ledger (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('PAY', 'SURPLUS', 'REFUND')),
  order_id text not null references orders,
  payment_id text not null references payments,
  provider text not null,
  txn text not null,
  amount_fen bigint not null,
  at bigint not null,
  unique (provider, kind, txn),
  unique (payment_id, kind),
  check ((kind = 'REFUND') = (amount_fen < 0) or amount_fen = 0)
);
comment on table ledger is 'Money received and paid back; append-only.';
comment on column ledger.amount_fen is 'negative for REFUND';
create unique index ledger_one_pay_per_order on ledger (order_id) where kind = 'PAY';
create index ledger_by_order on ledger (order_id);

create table refunds (
  id text primary key,
  payment_id text not null references payments,
  order_id text not null references orders,
  amount_fen bigint not null,
  reason text not null,
  surplus boolean not null,
  status text not null check (status in ('PENDING', 'PROCESSING', 'DONE', 'FAILED')),
  tries int not null default 0,
  next_at bigint,
  provider_refund_id text,
  failure text,
  asked_at bigint not null,
  done_at bigint
);
comment on table refunds is 'A refund is always for the full amount; the id is its number at the provider.';
comment on column refunds.surplus is 'refund of a payment that settled nothing: the order is not changed';
create unique index refunds_one_live on refunds (payment_id) where status <> 'FAILED';
create index refunds_due on refunds (next_at) where next_at is not null;
create index refunds_by_order on refunds (order_id);
create index refunds_by_payment on refunds (payment_id);

create table automatic_refunds (
  id bigint generated always as identity primary key,
  order_id text not null,
  amount_fen bigint not null,
  at bigint not null
);
comment on table automatic_refunds is 'A refund granted by a time limit, counted by the refund limit (domains/orders/refunding/automatic-refund-limit.ts).';
create index automatic_refunds_by_time on automatic_refunds (at);

create table refund_limit (
  id int primary key check (id = 1),
  alarmed_at bigint,
  allowed_at bigint,
  allowed_count bigint not null default 0,
  allowed_fen bigint not null default 0,
  seen_at bigint,
  jumped_at bigint,
  late_alarmed_at bigint
);
comment on table refund_limit is 'A single row, locked by every decision on an automatic refund, so that parallel processes count one after the other.';
comment on column refund_limit.alarmed_at is 'when it last raised an alarm about held-back refunds';
comment on column refund_limit.allowed_at is 'when an admin allowed a further amount, for an hour';
comment on column refund_limit.seen_at is 'last pass of the job';
comment on column refund_limit.late_alarmed_at is 'when it last raised an alarm about many late orders';
comment on column refund_limit.jumped_at is 'the pass before the clock jumped (0: unknown), until that is over';
insert into refund_limit (id) values (1);

create table ledger_checks (
  id bigint generated always as identity primary key,
  day bigint unique,
  started_at bigint not null,
  ended_at bigint
);
comment on table ledger_checks is 'One nightly consistency check of orders, payments, ledger, entitlements and coupons (domains/payments/accounting).';
comment on column ledger_checks.day is 'start (ms, in China) of the day of this nightly check';
comment on column ledger_checks.ended_at is 'null: it is running, or its process died';

-- Unlocking

create table unlock_records (
  id text primary key,
  order_id text not null references orders on delete cascade,
  user_id text not null references users on delete cascade,
  nth int not null check (nth >= 1 and nth <= 3),
  need int not null,
  got int not null default 0,
  created_at bigint not null,
  expire_at bigint not null,
  owner_client text,
  owner_net text,
  unique (order_id, nth),
  check (got <= need)
);
comment on table unlock_records is 'A request of an owner for friends'' help, up to three times for an order.';
comment on column unlock_records.owner_client is 'keyed hash of the device that asked';
comment on column unlock_records.owner_net is 'keyed hash of the network that asked';
comment on column unlock_records.need is 'number of friends who must help';
create index unlock_records_by_user on unlock_records (user_id);

create table unlock_helps (
  record_id text not null references unlock_records on delete cascade,
  user_id text not null references users on delete cascade,
  owner_id text not null,
  at bigint not null,
  client text,
  net text,
  primary key (record_id, user_id)
);
comment on table unlock_helps is 'Friends who helped.';
comment on column unlock_helps.user_id is 'user who helped';
comment on column unlock_helps.client is 'keyed hash of the device that helped';
comment on column unlock_helps.net is 'keyed hash of the network that helped';
create index unlock_helps_by_user on unlock_helps (user_id, at);

create table ad_nonces (
  nonce text primary key,
  user_id text not null references users on delete cascade,
  order_id text not null,
  issued_at bigint not null,
  expire_at bigint not null,
  used_at bigint
);
comment on table ad_nonces is 'A single-use permission to unlock by one advertisement.';
create index ad_nonces_by_user on ad_nonces (user_id, issued_at);

-- Messages and chat

create table messages (
  id text primary key,
  user_id text not null references users on delete cascade,
  type text not null,
  title text not null,
  summary text not null,
  body text not null,
  biz_type text not null,
  biz_id text,
  link text,
  read boolean not null default false,
  created_at bigint not null,
  remind_at bigint
);
comment on table messages is 'Notifications to users in the app; kept for 90 days.';
comment on column messages.remind_at is 'when to send a reminder outside the app; null: none, or sent';
create index messages_by_user on messages (user_id, created_at desc);
create index messages_by_time on messages (created_at);
create index messages_to_remind on messages (remind_at) where remind_at is not null;

create table broadcasts (
  id text primary key,
  kind text not null check (kind in ('SYSTEM', 'ACTIVITY')),
  title text not null,
  body text not null,
  link text,
  created_at bigint not null,
  last_user text not null default '',
  sent int not null default 0,
  done_at bigint,
  withdrawn_at bigint
);
comment on table broadcasts is 'A broadcast of staff to all users, and its progress.';
comment on column broadcasts.kind is 'ACTIVITY: only to users who opted in';
comment on column broadcasts.last_user is 'progress: users up to this id, in order of ids, have received it';
comment on column broadcasts.done_at is 'when it was sent to all, or withdrawn';
create index broadcasts_under_way on broadcasts (created_at) where done_at is null;

create table deleted_receipts (
  order_id text primary key,
  at bigint not null
);
comment on table deleted_receipts is 'An order whose payment message was deleted by its owner.';
create index deleted_receipts_by_time on deleted_receipts (at);

create table chats (
  user_id text primary key references users on delete cascade,
  last_seq int not null default 0,
  user_seq int not null default 0,
  staff_seq int not null default 0,
  waiting_since bigint,
  told_until bigint not null default 0,
  seen_at bigint not null default 0,
  changed_at bigint not null
);
comment on table chats is 'A user''s conversation with the staff.';
comment on column chats.last_seq is 'number of its newest message';
comment on column chats.user_seq is 'number of the last message that the user has seen';
comment on column chats.waiting_since is 'time of the first unanswered message; null = none';
comment on column chats.told_until is 'the user was notified that nobody is available until then';
comment on column chats.seen_at is 'last poll of the user''s app';
comment on column chats.staff_seq is 'number of the last message that the staff have seen';
create index chats_by_wait on chats (waiting_since, changed_at desc);

create table chat_messages (
  user_id text not null references users on delete cascade,
  seq int not null,
  type text not null,
  sender text not null check (sender in ('USER', 'STAFF', 'SYSTEM')),
  staff_id text,
  nick text,
  body text not null,
  image text,
  card jsonb,
  client_id text,
  waited bigint,
  at bigint not null,
  order_id text,
  primary key (user_id, seq)
);
comment on table chat_messages is 'Messages of a conversation.';
comment on column chat_messages.body is 'masked before it is stored, see chat/mask.ts';
comment on column chat_messages.image is 'object key';
comment on column chat_messages.client_id is 'id given by the sender, which makes sending idempotent';
comment on column chat_messages.waited is 'ms of working time from the question to this answer';
comment on column chat_messages.order_id is 'a question to the appraiser of this order, or their answer';
create unique index chat_messages_once on chat_messages (user_id, client_id) where client_id is not null;
create index chat_messages_waited on chat_messages (at desc) where waited is not null;
create index chat_messages_by_order on chat_messages (order_id, seq) where order_id is not null;

-- Operation of the server

create table deletion_outbox (
  kind text not null,
  ref text not null,
  due_at bigint not null,
  tries int not null default 0,
  primary key (kind, ref)
);
comment on table deletion_outbox is 'The outbox of deletions outside the database; a row exists until its deletion is done.';
comment on column deletion_outbox.kind is 'READ: a collection at the collector, PICTURES: all pictures of a user';
create index deletion_outbox_due on deletion_outbox (due_at);

create table throttles (
  key text primary key,
  n int not null,
  since bigint not null
);
comment on table throttles is 'Uses of a limited action since the start of its window, see `core/limits.ts`.';
comment on column throttles.n is 'uses';
create index throttles_by_age on throttles (since);

create table server_secrets (
  name text primary key,
  value text not null
);
comment on table server_secrets is 'Keys that the server has made for itself.';

create table leases (
  name text primary key,
  holder text not null,
  until bigint not null
);
comment on table leases is 'Work that one process does for all.';
comment on column leases.holder is 'identifies one acquisition, not a process';

create table job_runs (
  name text primary key,
  succeeded_at bigint not null
);
comment on table job_runs is 'Background jobs and their last success.';
comment on column job_runs.succeeded_at is 'when it last succeeded, or was first known; the database''s time, not the sandbox''s';

create table job_failures (
  job text not null,
  row_id text not null,
  attempts int not null,
  reason text not null,
  first_at bigint not null,
  last_at bigint not null,
  next_at bigint not null,
  quarantined_at bigint,
  primary key (job, row_id)
);
comment on table job_failures is 'A row that a job failed to process (domains/shared/due-rows.ts).';
comment on column job_failures.reason is 'free of personal data';
comment on column job_failures.next_at is 'not retried before';
comment on column job_failures.quarantined_at is 'not retried until staff release it at the desk';
