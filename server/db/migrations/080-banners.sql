-- Banners on the home page, set by staff; without a picture a line of notice.
create table banners (
  id integer generated always as identity primary key, place text not null, title text not null,
  picture text not null default '', link text not null default '',
  link_type text not null check (link_type in ('PAGE', 'WEB', 'NONE')), sort integer not null default 0,
  active boolean not null default true, starts_at bigint, ends_at bigint, updated_at bigint not null);
insert into banners (place, title, picture, link, link_type, sort, updated_at) values
  ('HOME', '谁要验证码，谁就是骗子', 'banner-safe.webp', '/pagesA/pages/home/news/detail?id=anti-fraud-five', 'PAGE', 1, 0),
  ('HOME', '价格怎么算出来的，误差有多大', 'banner-method.webp', '/pagesA/pages/home/article/index?key=METHOD', 'PAGE', 2, 0),
  ('HOME', '领券中心：人工估价可用的优惠券', 'banner-coupon.webp', '/pagesA/pages/home/couponCenter/index', 'PAGE', 3, 0);
