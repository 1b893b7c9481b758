import { step } from './step'

/** Wrong tries from networks other than the one that asked for the code. */
export const codeTries = step('alter table sms_codes add column wrong_elsewhere int not null default 0')
