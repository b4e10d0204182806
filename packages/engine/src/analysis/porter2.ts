/**
 * The English stemmer of M. F. Porter, "The English (Porter2) stemming algorithm" (2001), after "An
 * algorithm for suffix stripping" (1980), with its steps and names, and later exceptions of the
 * Snowball project. Step 0 is missing, because forms contain no apostrophes.
 *
 * @param input letters a-z
 */
export function porter2(input: string): string {
  const special = SPECIAL_WORDS.get(input)
  if (special !== undefined) return special
  if (input.length < 3) return input
  // Y is a consonant y: at the beginning, and after a vowel.
  let word = input.replace(/^y/, 'Y').replace(/([aeiouy])y/g, '$1Y')
  const r1 = regionBehind(
    word,
    0,
    R1_BEGINNINGS.find((beginning) => word.startsWith(beginning)),
  )
  const r2 = regionBehind(word, r1)

  word = step1a(word)
  if (NO_INFLECTION.has(word)) return word
  word = step1b(word, r1)
  if (word.length > 2 && /[^aeiouy][yY]$/.test(word)) word = `${word.slice(0, -1)}i`
  word = replaceSuffix(word, STEP_2, r1, (suffix, before) => {
    if (suffix === 'ogi') return before.endsWith('l')
    return suffix !== 'li' || /[cdeghkmnrt]$/.test(before)
  })
  word = replaceSuffix(word, STEP_3, r1, (suffix, before) => {
    return suffix !== 'ative' || before.length >= r2
  })
  word = replaceSuffix(word, STEP_4, r2, (suffix, before) => {
    return suffix !== 'ion' || /[st]$/.test(before)
  })
  return step5(word, r1, r2).replaceAll('Y', 'y')
}

/** Porter's own exceptions. */
export const SPECIAL_WORDS: ReadonlyMap<string, string> = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['sky', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ['howe', 'howe'],
])

/** Words that look like inflections without their plural s but are not. */
const NO_INFLECTION = new Set(
  'inning outing canning herring earring evening proceed exceed succeed'.split(' '),
)

/** Prefixes after which R1 starts, so that they are never stripped. */
const R1_BEGINNINGS = 'gener commun arsen univers later emerg organ inter'.split(' ')

const DOUBLES = new Set('bb dd ff gg mm nn pp rr tt'.split(' '))

/** Suffixes of step 2 and their replacements in R1. Longest first. */
const STEP_2 = longestFirst({
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  abli: 'able',
  entli: 'ent',
  izer: 'ize',
  ization: 'ize',
  ational: 'ate',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  aliti: 'al',
  alli: 'al',
  fulness: 'ful',
  ousli: 'ous',
  ousness: 'ous',
  iveness: 'ive',
  iviti: 'ive',
  biliti: 'ble',
  bli: 'ble',
  ogi: 'og',
  ogist: 'og',
  fulli: 'ful',
  lessli: 'less',
  li: '',
})

/** Suffixes of step 3 and their replacements in R1. */
const STEP_3 = longestFirst({
  tional: 'tion',
  ational: 'ate',
  alize: 'al',
  icate: 'ic',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
  ative: '',
})

/** Suffixes that step 4 deletes in R2. */
const STEP_4 = longestFirst(
  Object.fromEntries(
    'al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion'
      .split(' ')
      .map((suffix) => [suffix, '']),
  ),
)

type Replacements = readonly (readonly [suffix: string, replacement: string])[]

function longestFirst(replacements: Record<string, string>): Replacements {
  return Object.entries(replacements).toSorted(([a], [b]) => b.length - a.length)
}

/** Offset after the first consonant that follows a vowel, starting at `from` (R1, R2). */
function regionBehind(word: string, from: number, beginning?: string): number {
  if (beginning !== undefined) return beginning.length
  const found = /[aeiouy][^aeiouy]/.exec(word.slice(from))
  return found === null ? word.length : from + found.index + 2
}

/** Plurals. */
function step1a(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ied') || word.endsWith('ies')) {
    return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1)
  }
  if (!word.endsWith('s') || word.endsWith('us') || word.endsWith('ss')) return word
  return /[aeiouy]/.test(word.slice(0, -2)) ? word.slice(0, -1) : word
}

/** Past tenses and present participles. */
function step1b(word: string, r1: number): string {
  const suffix = /(?:eedly|ingly|edly|eed|ing|ed)$/.exec(word)?.[0]
  if (suffix === undefined) return word
  const before = word.slice(0, -suffix.length)
  if (suffix.startsWith('ee')) return before.length >= r1 ? `${before}ee` : word
  if (!/[aeiouy]/.test(before)) return word
  if (/(?:at|bl|iz)$/.test(before)) return `${before}e`
  // add, egg and off keep their double consonant.
  if (DOUBLES.has(before.slice(-2))) return /^[aeo]..$/.test(before) ? before : before.slice(0, -1)
  return before.length === r1 && endsInShortSyllable(before) ? `${before}e` : before
}

function step5(word: string, r1: number, r2: number): string {
  const before = word.slice(0, -1)
  if (word.endsWith('e')) {
    const removed = before.length >= r2 || (before.length >= r1 && !endsInShortSyllable(before))
    return removed ? before : word
  }
  return word.endsWith('ll') && before.length >= r2 ? before : word
}

function endsInShortSyllable(word: string): boolean {
  return /[^aeiouy][aeiouy][^aeiouywxY]$/.test(word) || /^[aeiouy][^aeiouy]$/.test(word)
}

/** Replaces the longest suffix of the word, if it lies in the region and is `allowed`. */
function replaceSuffix(
  word: string,
  replacements: Replacements,
  region: number,
  allowed: (suffix: string, before: string) => boolean,
): string {
  for (const [suffix, replacement] of replacements) {
    if (!word.endsWith(suffix)) continue
    const before = word.slice(0, -suffix.length)
    return before.length >= region && allowed(suffix, before) ? before + replacement : word
  }
  return word
}
