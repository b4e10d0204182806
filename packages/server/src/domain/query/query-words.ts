import {
  foreignForm,
  WORD_WEIGHT,
  WORD_WEIGHT_MEASURE,
  WORD_WEIGHT_STOPWORD,
  type Analyzer,
  type JoinedSpelling,
  type QuerySlot,
  type Respelling,
  type Token,
} from '@aisle/engine'
import { LETTER_DIGIT_PARTS_MAX, togetherForm } from '../words/letters-and-digits.ts'
import { explainedWords } from './explained-words.ts'
import { addPieces, addRuns } from './number-pieces.ts'
import { addFieldSpellings } from './field-spellings.ts'
import { allowedEdits, type TypoOptions } from '../words/typo-options.ts'
import { addSpelling, joinedForm, joinedSpelling } from '../words/joined-spelling.ts'
import { covers, wordsWithMeasures } from '../words/measures.ts'
import { withMeasureParts } from './measure-parts.ts'
import type { QueryPart } from './query-syntax.ts'
import { measuresBegun } from './unfinished-units.ts'
import { addUnfinished } from './unspaced-words.ts'
import { droppedWords, type StopwordRules } from '../words/stopword-rules.ts'
import { addSynonyms, type SynonymRules } from '../words/synonym-rules.ts'
import { wordRun } from '../words/word-runs.ts'
import { cuts, wordSpellings } from '../words/word-spellings.ts'

export interface SlotOptions extends TypoOptions {
  readonly prefixMode: 'always' | 'fallback' | 'off'
  readonly synonyms?: readonly SynonymRules[]
  readonly stopwords?: readonly StopwordRules[]
  /** Whether the stopwords of the language apply, which a request can change. */
  readonly hasStopwords?: boolean
  /** Whether the number and the unit of a measure rank what other words find. Absent: they do. */
  readonly hasMeasureParts?: boolean
  /** Called if a word had more synonyms than allowed. */
  readonly onSynonymsCut?: () => void
  readonly infixMode: 'always' | 'fallback' | 'off'
  /** Analyzers of the languages of fields, besides the store's. */
  readonly fieldLanguages?: readonly Analyzer[]
  /** Analyzers of fields with their own separators. */
  readonly fieldAnalyzers?: readonly Analyzer[]
  /** Quoted parts of the query; their words are taken literally. */
  readonly quoted?: readonly QueryPart[]
}

/** Two words that alternate are neighbours like any others. */
const TOGETHER_MIN = 3

type Draft = { -readonly [K in keyof QuerySlot]: QuerySlot[K] } & {
  joined: JoinedSpelling[]
  apart: QuerySlot['apart'][number][]
  synonyms: QuerySlot['synonyms'][number][]
  respelt: Respelling[]
}

/**
 * Turns a query into slots, one per word (words with the same stem share one), each with its
 * possible spellings. Only the last word may be incomplete.
 *
 * @returns none if every document matches: a query without a word (blank, `*`, `!!!`)
 */
export function planSlots(
  q: string,
  analyzer: Analyzer,
  options: SlotOptions,
  tokens: readonly Token[] = analyzer.analyze(q),
): readonly QuerySlot[] {
  const words = wordsWithMeasures(tokens)
  if (words.length === 0) return []

  const isQuoted = (word: Token) =>
    options.quoted?.some(({ start, end }) => word.start >= start && word.end <= end) === true
  const slots = new Map<string, Draft>()
  const slotOfWord = words.map((word) => {
    const draft = draftSlot(word, analyzer, options)
    if (isQuoted(word)) Object.assign(draft, { edits: 0, splits: [], apart: [], infix: 'off' })
    const known = slots.get(draft.stem)
    if (known === undefined) {
      slots.set(draft.stem, draft)
      return draft
    }
    return known
  })

  addJoined(tokens, words, slotOfWord, analyzer)
  addOfNeighbours(words, slotOfWord, isQuoted, analyzer, options)
  addTogether(q, words, slotOfWord, analyzer)
  addRuns(q, words, slotOfWord, analyzer)
  if (options.prefixMode !== 'off') {
    words.forEach((word, i) => {
      if (!isQuoted(word)) addPieces(q, word, slotOfWord[i]!)
    })
  }
  for (const own of options.fieldAnalyzers ?? []) {
    addFieldSpellings(own.analyze(q), words, slotOfWord, own)
  }
  words.forEach((word, i) => addForeignStems(word, slotOfWord[i]!, options.fieldLanguages ?? []))
  const last = words.at(-1)!
  if (!isQuoted(last)) {
    const slot = slotOfWord.at(-1)!
    slot.prefix = prefixOf(last, options)
    if (slot.prefix !== 'off') {
      addUnfinished(words, slotOfWord, analyzer)
      for (const measure of measuresBegun(words, analyzer)) {
        for (const part of slotOfWord.slice(-2)) addSpelling(part, measure)
      }
    }
  }
  const { synonyms = [], stopwords = [] } = options
  const run = wordRun(tokens)
  // A set may have words of a measure.
  const slotOfPart = run.words.map(
    ({ position }) => slotOfWord[words.findLastIndex((word) => covers(word, position))]!,
  )
  if (synonyms.length > 0 && !addSynonyms(run, slotOfPart, synonyms, analyzer)) {
    options.onSynonymsCut?.()
  }
  for (const slot of synonyms.length === 0 ? [] : slots.values()) {
    if (slot.synonyms.length === 0) slot.explained = explainedWords(slot, synonyms)
  }
  // Synonyms come first, because a rule may contain words that are otherwise left out.
  const dropped = droppedWords(run.words, stopwords)
  const kept = new Set(slotOfPart.filter((_, i) => !dropped.has(run.words[i]!)))
  if (options.hasMeasureParts === false) return [...kept]
  return withMeasureParts([...kept], tokens, words, slotOfWord, analyzer)
}

/** A size is complete, unless nothing has it: 5 l is not a prefix of 5 lb. */
function prefixOf({ measure }: Token, { prefixMode }: SlotOptions): QuerySlot['prefix'] {
  return measure === true && prefixMode === 'always' ? 'fallback' : prefixMode
}

function draftSlot(word: Token, analyzer: Analyzer, options: SlotOptions): Draft {
  const { form, measure } = word
  const spellings = wordSpellings(form, analyzer)
  const stopword = options.hasStopwords !== false && spellings.isStopword
  return {
    form,
    stem: spellings.stem,
    weight: measure ? WORD_WEIGHT_MEASURE : stopword ? WORD_WEIGHT_STOPWORD : WORD_WEIGHT,
    stopword,
    joined: [...spellings.joined],
    splits: stopword ? [] : spellings.splits,
    apart: [...spellings.apart],
    respelt: [],
    prefix: 'off',
    infix: options.infixMode,
    synonyms: [],
    explained: [],
    // 18gb is one edit from 16gb, and another size.
    edits: measure === true ? 0 : allowedEdits(form, options),
  }
}

/** Joined spellings of the analyzer (t-shirt: tshirt). */
function addJoined(
  tokens: readonly Token[],
  words: readonly Token[],
  slotOfWord: readonly Draft[],
  analyzer: Analyzer,
): void {
  if (tokens.length === words.length) return
  const wordAt = new Map(words.map((word, index) => [word.position, index]))
  for (const token of tokens) {
    const first = wordAt.get(token.position)
    if (token.kind !== 'joined' || token.measure === true || first === undefined) continue
    const end = token.position + token.span
    const behind = words.findIndex(({ position }) => position >= end)
    const parts = words.slice(first, behind < 0 ? words.length : behind)
    // Half of a measure is another thing.
    if (parts.at(-1)!.position + parts.at(-1)!.span > end) continue
    const spelling = joinedSpelling(token.form, parts, analyzer)
    if (spelling === undefined) continue
    const own = token.bare
      ? { form: token.form, stem: spelling.stem, bare: true as const }
      : spelling
    parts.forEach((part, i) => {
      // A bigram matches a one-character word (most likely cut off from its neighbour), not for
      // longer ones.
      const stands = token.bigram !== true || [...part.form].length === 1
      if (stands) addSpelling(slotOfWord[first + i]!, own)
    })
  }
}

/**
 * Two neighbouring words joined (bed spread), and their possible meaning if one of them is unknown
 * (sun flawer, sunf lower).
 */
function addOfNeighbours(
  words: readonly Token[],
  slotOfWord: readonly Draft[],
  isQuoted: (word: Token) => boolean,
  analyzer: Analyzer,
  options: SlotOptions,
): void {
  for (let right = 1; right < words.length; right++) {
    const [a, b] = [words[right - 1]!, words[right]!]
    const form = joinedForm(a, b)
    if (form === undefined) continue
    const [slotA, slotB] = [slotOfWord[right - 1]!, slotOfWord[right]!]
    const stem = analyzer.stem(form)
    // See `joinedSpelling`.
    if (stem !== slotA.stem && stem !== slotB.stem) {
      const spelling = { form, stem }
      addSpelling(slotA, spelling)
      addSpelling(slotB, spelling)
    }
    if (isQuoted(a) || isQuoted(b)) continue
    // The space slipped by one letter.
    const at = lettersOf(a.form)
    const splits = cuts(form, analyzer, at - 1, at - 1).concat(cuts(form, analyzer, at + 1, at + 1))
    const edits = Math.min(1, allowedEdits(form, options)) as 0 | 1
    const stems: readonly [string, string] = [slotA.stem, slotB.stem]
    const spelling = { form, stem, words: stems, splits, edits }
    slotA.respelt.push(spelling)
    if (slotB !== slotA) slotB.respelt.push(spelling)
  }
}

function lettersOf(form: string): number {
  return /^[a-z0-9]+$/.test(form) ? form.length : [...form].length
}

/** More words that alternate between letters and digits, as one (dcd 18 v). */
function addTogether(
  q: string,
  words: readonly Token[],
  slotOfWord: readonly Draft[],
  analyzer: Analyzer,
): void {
  if (words.length < TOGETHER_MIN) return
  const typed = words.map(({ form, measure, start, end }) =>
    measure === true ? form : analyzer.fold(q.slice(start, end)),
  )
  for (let from = 0; from < words.length; from++) {
    const end = Math.min(words.length, from + LETTER_DIGIT_PARTS_MAX)
    for (let to = from + TOGETHER_MIN; to <= end; to++) {
      const form = togetherForm(typed.slice(from, to), analyzer)
      if (form === undefined) continue
      const spelling = joinedSpelling(form, words.slice(from, to), analyzer)
      if (spelling === undefined) continue
      for (let i = from; i < to; i++) addSpelling(slotOfWord[i]!, spelling)
    }
  }
}

/** Spellings of a word in fields of other languages. */
function addForeignStems({ kind, form }: Token, slot: Draft, languages: readonly Analyzer[]): void {
  if (kind !== 'word') return
  for (const language of languages) {
    const foreign = foreignForm(form, language)
    if (foreign === undefined || slot.joined.some((other) => other.form === foreign)) continue
    slot.joined.push({ form: foreign, stem: foreign })
  }
}
