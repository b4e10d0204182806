const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: ' ',
}

/** The text of simple HTML: tags become spaces, the usual entities characters. */
export function textOfHtml(html: string): string {
  let text = ''
  let at = 0
  // The next `>`, looked for once: a `<` may have none.
  let close = html.indexOf('>')
  for (let open = html.indexOf('<'); open >= 0; open = html.indexOf('<', open + 1)) {
    if (open < at || !/^[a-z/!]$/i.test(html[open + 1] ?? '')) continue
    if (close >= 0 && close < open) close = html.indexOf('>', open)
    if (close < 0) break
    text += `${html.slice(at, open)} `
    at = close + 1
  }
  text += html.slice(at)
  const plain = text.replaceAll(/&(#?\w{2,4});/g, (whole, name: string) => ENTITIES[name] ?? whole)
  return plain.split(/\s+/).join(' ').trim()
}
