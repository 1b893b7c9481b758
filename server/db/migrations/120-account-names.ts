import { step } from './step'

/** What an owner calls an account, whatever number of reports it has. */
export const accountNames = step(
  `create table account_names (
    user_id text not null references users (id), account_id text not null, name text not null,
    primary key (user_id, account_id))`,
)
