-- Figures that are the same for every visitor, computed by one process for all (domains/reports/public-statistics.ts).
create table public_figures (key text primary key, value jsonb not null, made_at bigint not null);
