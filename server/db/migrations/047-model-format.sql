-- the engine ignores models of other formats, so the first start trains again
alter table models add column format integer not null default 0;
