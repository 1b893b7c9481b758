import { migration } from './migration'

/** Wrong attempts from networks other than the one that requested the code. */
export const codeTries = migration('alter table sms_codes add column wrong_elsewhere int not null default 0')
