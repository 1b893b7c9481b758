import { step } from './step'

/** What a report said when it was made, for its signature: it outlives the content of a report that is taken back. */
export const proof = step(
  "alter table reports add column digest text not null default ''",
  "update reports set digest = encode(sha256(convert_to(body::text, 'UTF8')), 'hex')",
)
