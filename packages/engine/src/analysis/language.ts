import type { CompoundRules } from './analyzer.ts'
import { CHINESE_LANGUAGES, chineseFirstLetters, chineseStem, inSimplified } from './chinese.ts'
import { isEnglishPlural } from './english-plural.ts'
import { englishSecondLetters, englishThirdLetters, englishStem } from './english-stem.ts'
import { ENGLISH_STOPWORDS } from './english-words.ts'
import {
  isKatakanaWord,
  japaneseFirstLetters,
  japaneseStem,
  kanaPieces,
  kanaTogether,
  KATAKANA_HEADS,
} from './japanese.ts'
import { snowballStem } from './snowball.ts'
import { stopwordsOf } from './stopwords.ts'
import type { UnspacedRules } from './unspaced.ts'

/** The rules of a language for an analyzer. */
export interface Language {
  /**
   * The stem that all inflections of a folded form share. Invariant: it begins with the same UTF-16
   * unit as the form, unless `firstLetters` is set.
   */
  readonly stem: (form: string) => string
  /** First characters of all forms with a stem. If undefined: that of the stem. */
  readonly firstLetters: ((stem: string) => string) | undefined
  /** See `Analyzer`. */
  readonly stemsBegin: boolean
  /**
   * Second UTF-16 units of all forms with a stem; returns undefined for any, or none. If undefined:
   * unknown in this language.
   */
  readonly secondLetters: ((stem: string) => string | undefined) | undefined
  /** The same for third units; forms may be shorter. */
  readonly thirdLetters: ((stem: string) => string | undefined) | undefined
  /**
   * Whether two forms of one stem are singular and plural. Undefined: the language does not
   * distinguish other inflections.
   */
  readonly isPlural: ((a: string, b: string) => boolean) | undefined
  /** Folded stopwords. */
  readonly stopwords: ReadonlySet<string>
  /** How it joins words into compounds. Undefined: it does not. */
  readonly compounds: CompoundRules | undefined
  /** Whether 2,5 is two and a half, and 1.000 a thousand. */
  readonly decimalComma: boolean
  /** Rules for its texts without spaces, besides a dictionary. */
  readonly unspaced: UnspacedRules | undefined
}

/** Languages with compounds, and the links between their parts. */
const COMPOUND_LINKS: Readonly<Record<string, readonly string[]>> = {
  da: ['es', 'er', 'e', 's'],
  de: ['ens', 'er', 'en', 'es', 'e', 'n', 's'],
  fi: ['n'],
  nb: ['er', 'e', 's'],
  nl: ['eren', 'er', 'en', 'es', 'e', 'n', 's'],
  nn: ['ar', 'er', 'e', 's'],
  no: ['er', 'e', 's'],
  sv: ['e', 'o', 's', 'u'],
}

/** Words that are also endings: automatisch, elastisch, spezifisch, Mannschaft, Funktionen. */
const COMPOUND_ENDINGS: Readonly<Record<string, readonly (readonly [string, RegExp])[]>> = {
  de: [
    ['tisch', /(?:[aeiouy]s?|[ae]n|k|[^p]p)$/],
    ['fisch', /[aio]$/],
    ['schaft', /$/],
    ['ion', /$/],
  ],
}

/** In code points. Too many words share shorter endings by chance. */
const ALPHABETIC_LENGTHS = { wordLengthMin: 4, restLengthMin: 3 }
/** In syllables, the code points of Korean: two say as much. */
const SYLLABIC_LENGTHS = { wordLengthMin: 2, restLengthMin: 2 }

const KATAKANA_COMPOUNDS: CompoundRules = {
  links: [],
  wordLengthMin: 3,
  restLengthMin: 2,
  endings: new Map(),
  words: new Set(KATAKANA_HEADS.map(japaneseStem)),
  isWhole: isKatakanaWord,
}

function compoundRules(primary: string): CompoundRules | undefined {
  if (primary === 'ja') return KATAKANA_COMPOUNDS
  if (primary === 'ko') return { links: [], ...SYLLABIC_LENGTHS, endings: new Map() }
  const links = COMPOUND_LINKS[primary]
  if (links === undefined) return undefined
  return { links, ...ALPHABETIC_LENGTHS, endings: new Map(COMPOUND_ENDINGS[primary]) }
}

const DECIMAL_COMMA = new Set(
  (
    'af az be bg bs ca cs da de el es et eu fi fr gl hr hu hy id is it ka kk lt lv mk nb nl nn no pl pt ' +
    'ro ru sk sl sq sr sv tr uk uz vi'
  ).split(' '),
)

const OWN_STEMMERS = new Map([
  ['en', englishStem],
  ['ja', japaneseStem],
  ...Array.from(CHINESE_LANGUAGES, (tag) => [tag, chineseStem] as const),
])
const FIRST_LETTERS = new Map([
  ['ja', japaneseFirstLetters],
  ...Array.from(CHINESE_LANGUAGES, (tag) => [tag, chineseFirstLetters] as const),
])
const UNSPACED = new Map<string, UnspacedRules>([
  ['ja', { together: kanaTogether, pieces: kanaPieces }],
  // Both ways of writing a text are cut alike.
  ...Array.from(CHINESE_LANGUAGES, (tag) => [tag, { cutAs: inSimplified }] as const),
])

/**
 * @param primary primary language subtag of BCP 47. In a language without rules here, words match
 * as written.
 */
export function languageOf(primary: string): Language {
  const isEnglish = primary === 'en'
  return {
    stem: OWN_STEMMERS.get(primary) ?? snowballStem(primary) ?? ((form) => form),
    firstLetters: FIRST_LETTERS.get(primary),
    stemsBegin: FIRST_LETTERS.has(primary),
    secondLetters: isEnglish ? englishSecondLetters : undefined,
    thirdLetters: isEnglish ? englishThirdLetters : undefined,
    isPlural: isEnglish ? isEnglishPlural : undefined,
    stopwords: isEnglish ? ENGLISH_STOPWORDS : stopwordsOf(primary),
    compounds: compoundRules(primary),
    decimalComma: DECIMAL_COMMA.has(primary),
    unspaced: UNSPACED.get(primary),
  }
}
