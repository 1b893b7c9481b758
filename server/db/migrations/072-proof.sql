-- Content hash of a report at creation, for its signature; kept when the content of a withdrawn report is deleted.
alter table reports add column digest text not null default '';
update reports set digest = encode(sha256(convert_to(body::text, 'UTF8')), 'hex');
