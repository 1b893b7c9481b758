/** Version 4 in form; as unique as `random` (0 ≤ x < 1) is random. The mini-program has no `crypto`. */
export function uuid(random: () => number = Math.random): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () => Math.floor(random() * 16).toString(16))
}
