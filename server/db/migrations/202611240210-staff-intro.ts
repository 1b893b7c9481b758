import { step } from './step'

/** What appraisers say of themselves, shown with their figures. */
export const staffIntro = step("alter table staff add column intro text not null default ''")
