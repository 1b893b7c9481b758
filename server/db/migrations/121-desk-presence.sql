-- Last use of a desk session: consultants count as present while it is recent.
alter table staff_sessions add column seen_at bigint;
