import type { Analyzer, Token } from '../analysis/analyzer.ts'
import type { ExplainedWord, QuerySlot, SearchPlan, Synonym } from '../query/plan.ts'
import type { Schema } from '../schema/schema.ts'
import {
  heavyFields,
  LENGTH_NORM_OTHER,
  LENGTH_NORM_TITLE,
  WORD_WEIGHT,
  WORD_WEIGHT_STOPWORD,
  WORD_WEIGHT_UNIT,
} from '../scoring/formula.ts'
import { editDistance } from '../rescoring/edit-distance.ts'
import { codePointCount } from '../codec/code-points.ts'

/** Options for planning the words of a test query. */
export interface SlotOptions {
  /** Prefix mode of the last word. */
  readonly prefix?: QuerySlot['prefix']
  readonly typoMax?: 0 | 1 | 2
  /** Minimum letters of a word for one and for two edits. */
  readonly typoMinLengths?: readonly [one: number, two: number]
  /** Whether words with digits may have edits too. */
  readonly typoNumbers?: boolean
  /** Whether words with digits may be pieces of longer numbers. */
  readonly pieces?: boolean
  /** Infix mode of every word. */
  readonly infix?: QuerySlot['infix']
  /** Synonyms for `span` words from slot `at` on. */
  readonly synonyms?: readonly SynonymForTest[]
  /** Synonyms of the words of synonym sets, by word. */
  readonly explained?: readonly (readonly [word: string, synonym: string])[]
}

export interface SynonymForTest {
  readonly text: string
  readonly at?: number
  readonly span?: number
}

/**
 * The slots of a query text, as the plan stage forms them. Words with the same stem are one slot.
 */
export function planSlotsForTest(
  text: string,
  analyzer: Analyzer,
  options: SlotOptions = {},
): QuerySlot[] {
  const { prefix = 'off', typoMax = 0, typoMinLengths = [4, 7], typoNumbers = false } = options
  const { pieces = false, infix = 'off', synonyms = [], explained = [] } = options
  const tokens = analyzer.analyze(text)
  const words = tokens.filter((token) => token.kind !== 'joined')
  const slots: QuerySlot[] = []
  words.forEach((word, i) => {
    const stem = analyzer.stem(word.form)
    if (slots.some((slot) => slot.stem === stem)) return
    const before = words[i - 1]
    const after = words[i + 1]
    const joined = new Set(
      tokens
        .filter(
          (token) =>
            token.kind === 'joined' &&
            token.bigram !== true &&
            token.bare !== true &&
            token.position <= word.position &&
            word.position < token.position + token.span,
        )
        .map((token) => token.form),
    )
    if (before !== undefined) joined.add(before.form + word.form)
    if (after !== undefined) joined.add(word.form + after.form)

    const stopword = analyzer.isStopword(word.form)
    const mayHaveEdits = typoNumbers || /^[\p{L}\p{M}]+$/u.test(word.form)
    const length = codePointCount(word.form)
    const edits = length >= typoMinLengths[1] ? 2 : length >= typoMinLengths[0] ? 1 : 0
    slots.push({
      form: word.form,
      stem,
      weight: stopword
        ? WORD_WEIGHT_STOPWORD
        : word.kind === 'unit'
          ? WORD_WEIGHT_UNIT
          : WORD_WEIGHT,
      stopword,
      joined: [
        ...[...joined].map((form) => ({ form, stem: analyzer.stem(form) })),
        ...tokens
          .filter(({ bare, position }) => bare === true && position === word.position)
          .map(({ form }) => ({ form, stem: analyzer.stem(form), bare: true as const })),
      ],
      splits: cuts(word.form),
      apart: apartSpellings(word.form, analyzer),
      respelt: respellings(word, [before, after], analyzer, typoMax),
      ...(pieces ? { pieces: [word.form, ...joined].filter(mayBePiece) } : {}),
      ...(word.kind === 'unit' ? { unitOf: analyzer.stem(before!.form) } : {}),
      prefix: i === words.length - 1 ? prefix : 'off',
      infix,
      synonyms: synonyms
        .filter(({ at = 0, span = 1 }) => at <= slots.length && slots.length < at + span)
        .map(({ text }) => synonymOf(text, analyzer))
        .filter(({ words }) => words.length > 0),
      explained: [],
      edits: mayHaveEdits ? (Math.min(edits, typoMax) as 0 | 1 | 2) : 0,
    })
  })
  return slots.map((slot) => ({
    ...slot,
    explained: slot.synonyms.length > 0 ? [] : explainedFor(slot, explained, analyzer),
  }))
}

function mayBePiece(text: string): boolean {
  return /\d/.test(text) && codePointCount(text) > 1
}

function explainedFor(
  { form: typed, stem: typedStem, edits, prefix }: QuerySlot,
  explained: NonNullable<SlotOptions['explained']>,
  analyzer: Analyzer,
): ExplainedWord[] {
  const words = new Map(explained)
  return [...words].flatMap(([word, text]) => {
    const form = analyzer.fold(word)
    const stem = analyzer.stem(form)
    const isBegun = prefix !== 'off' && form.startsWith(typed) && stem !== typedStem
    const distance = isBegun ? 0 : editDistance(typed, form)
    if (!isBegun && (distance > edits || (distance !== 1 && distance !== 2))) return []
    const synonym = synonymOf(text, analyzer)
    if (synonym.words.length === 0) return []
    return [{ form, stem, distance: distance as 0 | 1 | 2, synonyms: [synonym] }]
  })
}

function synonymOf(text: string, analyzer: Analyzer): Synonym {
  const words = analyzer.analyze(text).filter((token) => token.kind !== 'joined')
  return { words: words.map(({ form }) => ({ form, stem: analyzer.stem(form) })) }
}

/** Letters and digits apart, at every border and at the first one. */
function apartSpellings(form: string, analyzer: Analyzer): QuerySlot['apart'] {
  const pieces = analyzer.pieces?.(form) ?? []
  if (pieces.length > 0)
    return [pieces.map((piece) => ({ form: piece, stem: analyzer.stem(piece) }))]
  const parts = form.match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? []
  if (parts.length < 2) return []
  const spellings = [parts, ...(parts.length > 2 ? [[parts[0]!, parts.slice(1).join('')]] : [])]
  return spellings.map((words) => words.map((word) => ({ form: word, stem: analyzer.stem(word) })))
}

/** A word joined with the previous and with the next one. */
function respellings(
  word: Token,
  [before, after]: readonly [Token | undefined, Token | undefined],
  analyzer: Analyzer,
  typoMax: number,
): QuerySlot['respelt'] {
  const pairs = [
    ...(before === undefined ? [] : [[before.form, word.form] as const]),
    ...(after === undefined ? [] : [[word.form, after.form] as const]),
  ]
  return pairs
    .map(([left, right]) => ({ left, right, form: left + right }))
    .filter(({ form }) => /^[\p{L}\p{M}]+$/u.test(form))
    .map(({ left, right, form }) => ({
      form,
      stem: analyzer.stem(form),
      words: [analyzer.stem(left), analyzer.stem(right)],
      splits: cuts(form).filter(
        (cut) => Math.abs(codePointCount(cut.left) - codePointCount(left)) === 1,
      ),
      edits: typoMax > 0 && codePointCount(form) >= 5 ? 1 : 0,
    }))
}

/** Every split of a form. */
function cuts(form: string): { left: string; right: string }[] {
  const letters = [...form]
  return letters.slice(1).map((_, i) => ({
    left: letters.slice(0, i + 1).join(''),
    right: letters.slice(i + 1).join(''),
  }))
}

/** A plan that searches all searchable fields with weight 1; `changes` overrides any part. */
export function planForTest(
  text: string,
  schema: Schema,
  analyzer: Analyzer,
  changes: Partial<SearchPlan> & SlotOptions = {},
): SearchPlan {
  const { prefix, typoMax, typoMinLengths, typoNumbers, infix, synonyms, explained, ...parts } =
    changes
  const fieldWeights =
    parts.fieldWeights ?? schema.fields.map((field) => (field.searchable ? 1 : 0))
  return {
    slots: planSlotsForTest(text, analyzer, {
      ...(prefix === undefined ? {} : { prefix }),
      ...(typoMax === undefined ? {} : { typoMax }),
      ...(typoMinLengths === undefined ? {} : { typoMinLengths }),
      ...(typoNumbers === undefined ? {} : { typoNumbers }),
      ...(infix === undefined ? {} : { infix }),
      ...(synonyms === undefined ? {} : { synonyms }),
      ...(explained === undefined ? {} : { explained }),
    }),
    fieldWeights,
    lengthNorms: schema.fields.map((_, i) => (i === 0 ? LENGTH_NORM_TITLE : LENGTH_NORM_OTHER)),
    titleField: 0,
    requireAllTerms: false,
    phrases: [],
    exclusions: [],
    exactValue: [],
    exactValueFields: heavyFields(fieldWeights),
    pins: [],
    boosts: [],
    sort: [],
    facets: [],
    disjunctiveFacets: false,
    from: 0,
    size: 10,
    explain: false,
    ...parts,
  }
}
