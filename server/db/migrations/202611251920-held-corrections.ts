import { migration } from './migration'

/** Id of the sale that a held one corrects: accepted, it goes on by that id. */
export const heldCorrections = migration('alter table held_sales add column sale_id bigint')
