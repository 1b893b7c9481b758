-- Wrong attempts from networks other than the one that requested the code.
alter table sms_codes add column wrong_elsewhere int not null default 0;
