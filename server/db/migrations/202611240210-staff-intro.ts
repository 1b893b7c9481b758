import { migration } from './migration'

/** What appraisers say of themselves, shown with their figures. */
export const staffIntro = migration("alter table staff add column intro text not null default ''")
