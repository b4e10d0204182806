/** Named entities that occur in texts of shops; numeric ones are all decoded. */
const NAMED = (
  'amp & lt < gt > quot " apos \' ndash – mdash — hellip … bull • middot · lsquo ‘ rsquo ’ ' +
  'sbquo ‚ ldquo “ rdquo ” bdquo „ laquo « raquo » euro € pound £ yen ¥ cent ¢ copy © reg ' +
  '® trade ™ deg ° plusmn ± times × frac12 ½ frac14 ¼ frac34 ¾ sup2 ² sup3 ³ micro µ auml ' +
  'ä ouml ö uuml ü Auml Ä Ouml Ö Uuml Ü szlig ß aacute á agrave à acirc â aring å atilde ' +
  'ã aelig æ ccedil ç eacute é egrave è ecirc ê euml ë iacute í icirc î iuml ï ntilde ñ ' +
  'oacute ó ograve ò ocirc ô otilde õ oslash ø oelig œ uacute ú ugrave ù ucirc û Eacute É ' +
  'Ccedil Ç Oslash Ø Aring Å'
).split(' ')

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ...NAMED.flatMap((name, i) => (i % 2 === 0 ? [[name, NAMED[i + 1]!] as const] : [])),
  ['nbsp', ' '],
  ['shy', ''],
])

/** Converts simple HTML to text: tags become spaces, common entities characters. */
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
  const plain = text.replaceAll(/&(#?\w{2,8});/g, (whole, name: string) => character(name) ?? whole)
  return plain.split(/\s+/).join(' ').trim()
}

/** `uuml`, `#252` and `#xFC`; undefined if it is not an entity. */
function character(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES.get(name)
  const isHex = name[1] === 'x' || name[1] === 'X'
  const code = isHex ? Number(`0x${name.slice(2)}`) : Number(name.slice(1))
  const isCharacter = code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : undefined
}
