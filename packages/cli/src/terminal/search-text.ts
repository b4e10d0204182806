import type { SearchResponse } from '@aisle/client'
import { cardField, pricesOf, textOf } from './card.ts'
import { excerptOf, type Piece } from './excerpt.ts'
import { explanationLines, type Explanation } from './explanation-text.ts'
import { printable, type Style } from './style.ts'
import { count } from './table.ts'

/** The marks of highlights as requested; no text contains them. */
const MARK_PATTERN = /<mark>([^<]*)<\/mark>/g
const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}
/** Maximum length of a value on the terminal; `--json` has all of it. */
const VALUE_MAX_CHARS = 200
const BANNER_MAX_CHARS = 300

interface Shown {
  readonly style: Style
  /** Show all returned fields; otherwise only those with marks, besides title, price and brand. */
  readonly allFields: boolean
}

/** A hit in either format. */
interface Hit {
  readonly id?: string
  readonly document?: Readonly<Record<string, unknown>>
  readonly highlight?: Marks
  readonly _highlight?: Marks
  readonly text_match_score?: number
  readonly _text_match_score?: number
  readonly curated?: boolean
  readonly _curated?: boolean
  readonly snippets?: unknown
  readonly _snippets?: unknown
  readonly explanation?: Explanation
  readonly _explanation?: Explanation
}
type Marks = Readonly<Record<string, string | readonly string[]>>

/** Formats a response: the hits as a page would show them, then notes of the service. */
export function searchText(answer: SearchResponse, shown: Shown): string {
  const { style } = shown
  const lines = [...bannerLines(answer, style)]
  const first = (answer.page - 1) * answer.per_page + 1
  const hits = answer.hits as readonly Hit[]
  const prices = pricesOf(hits.map(documentOf))
  for (const [i, hit] of hits.entries()) {
    lines.push(...hitLines(hit, { place: first + i, price: prices[i]! }, shown), '')
  }
  for (const [field, facet] of Object.entries((answer.facets ?? {}) as Record<string, unknown>)) {
    lines.push(`${style.bold(field)}  ${facetText(facet)}`)
  }
  const { rewritten_query: rewritten, corrected_query: corrected } = answer
  if (rewritten !== undefined) lines.push(`Rewritten by rules: ${printable(rewritten)}`)
  if (corrected !== undefined) lines.push(`Also searched: ${printable(corrected)}`)
  const meant = answer.did_you_mean
  if (meant !== undefined) lines.push(`Did you mean: ${printable(meant)}`)
  if (answer.matched_terms === 'any' && answer.found > 0)
    lines.push('Some results do not match all words')
  const suggested = (answer.suggestions ?? []).map(({ text }) => printable(text))
  if (suggested.length > 0) lines.push(`Suggestions: ${suggested.join(', ')}`)
  const rules = (answer.applied_rules ?? []).map(printable)
  if (rules.length > 0) lines.push(`Applied rules: ${rules.join(', ')}`)
  for (const warning of answer.warnings ?? []) {
    lines.push(style.dim(`Warning: ${printable(warning)}`))
  }
  const cutoff = answer.search_cutoff === true ? ', cut off by the timeout' : ''
  lines.push(style.dim(`${count(answer.found)} found in ${answer.search_time_ms} ms${cutoff}`))
  return `${lines.join('\n')}\n`
}

function bannerLines({ metadata = {} }: SearchResponse, style: Style): string[] {
  const { banner, banners = [], redirect } = metadata
  const all = banners.length > 0 ? banners : banner === undefined ? [] : [banner]
  const texts = all.map((one) =>
    shortened([{ text: textOf(one), isMarked: false }], style, BANNER_MAX_CHARS),
  )
  const lines = texts.map((text) => `${style.bold('Banner')}  ${text}`)
  if (redirect !== undefined) lines.push(`${style.bold('Redirect')}  ${printable(redirect.url)}`)
  return lines.length === 0 ? [] : [...lines, '']
}

/** The fields of a hit, which may be the hit itself. */
function documentOf({ document, ...hit }: Hit): Readonly<Record<string, unknown>> {
  return document ?? hit
}

function hitLines(
  hit: Hit,
  { place, price }: { readonly place: number; readonly price: string },
  { style, allFields }: Shown,
): string[] {
  const { id = '' } = hit
  const document = documentOf(hit)
  const highlight = hit.highlight ?? hit._highlight ?? {}
  const text = (field: string): string => {
    const marked = highlight[field]
    const plain = [{ text: textOf(document[field]), isMarked: false }]
    return shortened(marked === undefined ? plain : piecesOf([marked].flat().join(', ')), style)
  }
  const title = cardField(document, 'title')
  const brand = cardField(document, 'brand')
  const head = [
    style.dim(`${place}.`),
    style.bold(title === undefined ? '' : text(title)),
    printable(price),
    brand === undefined || brand === title ? '' : text(brand),
    style.dim(printable(id)),
    (hit.curated ?? hit._curated) === true ? style.dim('(pinned by a rule)') : '',
  ]
  const others = Object.keys(document).filter(
    (field) => field !== 'id' && field !== title && !OF_HIT.has(field),
  )
  const isShown = (field: string): boolean =>
    allFields || (field !== brand && Object.hasOwn(highlight, field))
  const { explanation = hit._explanation, text_match_score: score = hit._text_match_score } = hit
  const why = explanation === undefined ? [] : explanationLines(score ?? 0, explanation)
  return [
    head.filter((part) => part !== '').join('  '),
    ...others.filter(isShown).map((field) => `   ${style.dim(`${field}:`)} ${text(field)}`),
    ...why.map((line) => `   ${line}`),
  ]
}

/** Members of a flat hit that are not document fields. */
const OF_HIT: ReadonlySet<string> = new Set<keyof Hit>([
  '_highlight',
  '_snippets',
  '_text_match_score',
  '_curated',
  '_explanation',
])

function shortened(pieces: readonly Piece[], style: Style, maxChars = VALUE_MAX_CHARS): string {
  const safe = pieces.map((piece) => ({ ...piece, text: printable(piece.text) }))
  return excerptOf(safe, maxChars)
    .map((piece) => (piece.isMarked ? style.mark(piece.text) : piece.text))
    .join('')
}

/** Decodes HTML with marks to text. */
function piecesOf(html: string): Piece[] {
  const plain = (text: string): string =>
    text.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
  const pieces: Piece[] = []
  let from = 0
  for (const match of html.matchAll(MARK_PATTERN)) {
    pieces.push({ text: plain(html.slice(from, match.index)), isMarked: false })
    pieces.push({ text: plain(match[1] ?? ''), isMarked: true })
    from = match.index + match[0].length
  }
  return [...pieces, { text: plain(html.slice(from)), isMarked: false }]
}

function facetText(facet: unknown): string {
  if (!Array.isArray(facet)) return printable(JSON.stringify(facet))
  return (facet as { value: unknown; count: number }[])
    .map(({ value, count: documents }) => `${printable(String(value))} (${count(documents)})`)
    .join('  ')
}
