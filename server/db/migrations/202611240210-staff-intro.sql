-- Appraisers' own introduction, shown with their figures.
alter table staff add column intro text not null default '';
