import { migration } from './migration'

/** Appraisers' own introduction, shown with their figures. */
export const staffIntro = migration("alter table staff add column intro text not null default ''")
