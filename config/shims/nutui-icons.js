/*
 * In place of NutUI's icons: `<i>` elements, which the mini-program drops, without names. The components in ui/ give
 * theirs an icon of ours each time, so none of these is rendered; `test/spec/controls` checks that none is missing.
 */
function Nothing() {
  return null
}

export {
  Nothing as Ask,
  Nothing as CheckDisabled,
  Nothing as Checked,
  Nothing as CheckNormal,
  Nothing as Close,
  Nothing as Failure,
  Nothing as Loading,
  Nothing as Loading1,
  Nothing as StarFill,
  Nothing as Success,
  Nothing as Tips,
  Nothing as User,
  Nothing as Warning,
}
