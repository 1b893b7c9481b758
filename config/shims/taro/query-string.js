const plain = (text) => text.replace(/\+/g, ' ')
const decoded = (text) => {
  try {
    return decodeURIComponent(plain(text))
  } catch {
    return text
  }
}

/**
 * The part of query-string that Taro's router uses: parses `?a=b&c`; of repeated names the last one counts; decoding is
 * optional.
 */
function parse(search, { decode = true } = {}) {
  const read = decode ? decoded : plain
  const pairs = search
    .replace(/^[?#&]/, '')
    .split('&')
    .filter(Boolean)
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return at < 0 ? [read(pair), null] : [read(pair.slice(0, at)), read(pair.slice(at + 1))]
    }),
  )
}

export default { parse }
