/** UUID in the format of version 4, from `random` (0 ≤ x < 1), because the mini-program has no `crypto`. */
export function uuid(random: () => number = Math.random): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () => Math.floor(random() * 16).toString(16))
}
