import type { FilterText } from './filter-lexer.ts'

/** Maximum length of an expression in a hint, in UTF-16 units. */
const SHOWN_MAX = 120
const ENDS_NAME = /[\s:()[\]{}!=<>,"`&|]/
const BEGINS_OPERATOR = /[=!<>[]/
/** Separators that people write between two conditions. */
const BETWEEN = /[\s,;&|+]/

/** `and` and `or` as words of a value. */
const KEYWORD = /\s(and|or)\s/gi
/** A condition after AND or OR, as other engines write it. */
const CONDITION = /\s*(not\s+|!)?([^\s:()[\]{}!=<>,"`&|]+)\s*(:|[<>]=?|!=|==?)\s*\S/iy

/** Place of a bare value. */
export interface ValuePlace {
  /** The expression, and the start of the value's clause in it. */
  readonly expression: string
  readonly clauseAt: number
  /** `brand:=`, the test of that clause. */
  readonly test: string
  readonly inList: boolean
  readonly isField: (name: string) => boolean
}

/**
 * Guesses the meaning of a bare value that looks like more than a value: a second condition inside
 * a value is compared as text, and a `*` is special only at the end.
 *
 * @returns a hint; undefined if it looks like an ordinary value
 */
export function valueHint(value: FilterText, place: ValuePlace): string | undefined {
  const found = findCondition(value, place)
  if (found !== undefined) {
    return `the value ${quoted(value.text)} contains ${quoted(found.symbol)} and is compared literally. Did you mean ${quoted(found.meant)}? If not, put the value in quotes`
  }
  const star = value.text.slice(0, -1).indexOf('*')
  if (star < 0) return undefined
  return `the value ${quoted(value.text)} contains \`*\`, which is a wildcard only at the end of a value or word. If it is meant literally, put the value in quotes`
}

/**
 * Finds `AND price > 0` and `OR color:red` inside a bare value: conditions that the parser did not
 * read as such. In lower case, `and` and `or` need a field of the schema after them.
 *
 * @returns why the value is refused; undefined if it looks like an ordinary value
 */
export function keywordProblem(value: FilterText, place: ValuePlace): string | undefined {
  const { text, at } = value
  KEYWORD.lastIndex = 0
  for (let found = KEYWORD.exec(text); found !== null; found = KEYWORD.exec(text)) {
    const keyword = found[1]!
    // The blank behind a word may be the one before the next.
    CONDITION.lastIndex = --KEYWORD.lastIndex
    const condition = CONDITION.exec(text)
    const left = beforeCondition(text, found.index)
    if (condition === null || left === '') continue
    const [, negation, name = '', operator = ''] = condition
    if (keyword !== keyword.toUpperCase() && !place.isField(name)) continue
    const head = place.expression.slice(place.clauseAt, at) + left + (place.inList ? ']' : '')
    const symbol = keyword.toLowerCase() === 'and' ? '&&' : '||'
    const test = operator === ':' ? ':' : `:${operator === '==' ? '=' : operator}`
    const not = negation === undefined ? '' : '!'
    const meant = `${head} ${symbol} ${not}${name}${test}${text.slice(CONDITION.lastIndex - 1)}`
    return `the value ${quoted(text)} contains ${quoted(` ${keyword} `)} and a condition. Write ${quoted(meant)}, or put the value in quotes to compare it literally`
  }
  return undefined
}

/**
 * The hint for a value of the `filters` object, where nothing can be quoted: only for text that is
 * unlikely to be a value, an operator after a colon, or `&&` and `||` between blanks.
 */
export function objectValueHint(
  text: string,
  name: string,
  isField: (name: string) => boolean,
): string | undefined {
  if (!/:[=!<>[]|\s(?:&&|\|\|)\s/.test(text)) return undefined
  const place = { expression: '', clauseAt: 0, test: `${name}:=`, inList: false, isField }
  const found = findCondition({ text, at: 0, quoted: false }, place)
  if (found === undefined) return undefined
  return `the value ${quoted(text)} contains ${quoted(found.symbol)} and is compared literally. Put conditions on other fields into separate members, or into \`filter_by\``
}

interface Condition {
  readonly symbol: string
  readonly meant: string
}

/**
 * A condition inside a value: after `&&` or `||` (which only lists let through), or a field with
 * its test.
 */
function findCondition({ text, at }: FilterText, place: ValuePlace): Condition | undefined {
  const { expression, clauseAt, test, inList } = place
  const head = expression.slice(clauseAt, at)
  const close = inList ? ']' : ''
  const operator = /&&|\|\|/.exec(text)
  if (operator !== null) {
    const left = beforeCondition(text, operator.index)
    const right = text.slice(operator.index + 2).trim()
    const clause = right.includes(':') ? right : `${test}${right}`
    return { symbol: operator[0], meant: `${head}${left}${close} ${operator[0]} ${clause}` }
  }
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let start = colon
    while (start > 0 && !ENDS_NAME.test(text[start - 1]!)) start--
    const name = text.slice(start, colon)
    const next = text[colon + 1] ?? ''
    if (!BEGINS_OPERATOR.test(next) && !place.isField(name)) continue
    const left = beforeCondition(text, start)
    const clause = text.slice(start)
    const symbol = BEGINS_OPERATOR.test(next) ? `:${next}` : `${name}:`
    if (left !== '') return { symbol, meant: `${head}${left}${close} && ${clause}` }
    // `brand::=Acme`, `brand:brand:=Acme`
    return { symbol, meant: name === '' ? `${test.split(':')[0]}${clause}` : clause }
  }
  return undefined
}

/** The text before a condition, without the separator. */
function beforeCondition(text: string, at: number): string {
  let end = at
  while (end > 0 && BETWEEN.test(text[end - 1]!)) end--
  return text.slice(0, end)
}

function quoted(text: string): string {
  const shown = text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX).toWellFormed()}…`
  return `\`${shown}\``
}
