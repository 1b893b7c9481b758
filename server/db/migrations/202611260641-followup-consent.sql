-- Whether an owner's report of a sale was given with the consent to use it; null where older releases stored it.
alter table sale_followups add column consented boolean;
