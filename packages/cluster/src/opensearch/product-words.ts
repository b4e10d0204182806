import { fieldEvidence, impactOf, lengthStep } from '@aisle/engine/rescoring'
import { fieldSalience } from '@aisle/server/domain'
import { analyzeDocument, elementType, hasColumn } from '@aisle/engine'
import type { FieldTokens, IndexDocument, Schema, Token } from '@aisle/engine'
import { slotName } from './field-slots.ts'
import { KnownWords, type Stem, type Word } from './known-words.ts'
import { WordPacker } from './packed-words.ts'
import type { ProductShape } from './product-shape.ts'
import { JOINED_LAYERS, NOTHING } from './product-index.ts'
import {
  CUT_MARK,
  exactTerm,
  featureName,
  FEATURES,
  fieldTerm,
  formerFeature,
  inflectedTerm,
  joinedStemTerm,
  wordTerm,
} from './product-terms.ts'

/** Longer values are not searched as a whole. */
const EXACT_TOKENS_MAX = 40
/**
 * Tokens of a field on average, for all fields and stores: equal documents must have equal
 * evidence, whatever was written before them. It only chooses candidates.
 */
const USUAL_LENGTH = 12

/**
 * Nearly every document has this mark. Escaped, it leaves most of them one byte for each character,
 * which halves what is copied.
 */
export const CUT_MARK_IN_JSON = String.raw`\ue001`

/** The words of a document, or of an element of one. */
interface ReadWords {
  /** Searchable fields, and others that filters read by their words. */
  readonly fields: readonly FieldTokens[]
  /** Forms of searchable fields, each once, within a JSON string. */
  readonly words: readonly string[]
  /** Their stems, with their evidence. */
  readonly stems: readonly Stem[]
  readonly joined: ReadonlySet<string>
  /** Terms of whole values. */
  readonly exact: ReadonlySet<string>
  readonly rows: readonly Row[]
}

const packer = new WordPacker()

/**
 * The words of a document as members of a JSON object: of searchable fields, everything that
 * ranking needs; of other strings, what filters need. This is most of the work of a write, so each
 * token is looked up once, and all terms of a kind are joined by a single native call, with what
 * they begin with as the separator.
 *
 * @returns each member as text
 */
export function wordMembers(shape: ProductShape, document: IndexDocument): string[] {
  const { scope, schema, slots, isOutdated = false } = shape
  const { fields, words, stems, joined, exact, rows } = readWords(shape, document, packer)
  const searched = fields.filter(({ field }) => schema.fields[field]!.searchable)
  const tokens = packer.pack(document.id, searched)
  const anywhere = wordTerm(scope, '')
  const listed = words.length === 0 ? '' : `"${anywhere}${words.join(`","${anywhere}`)}"`
  const inGroups = stems.map(({ json }) => json).join(` ${anywhere}`)
  const values = JSON.stringify([...exact].join(' ')).replaceAll(CUT_MARK, CUT_MARK_IN_JSON)
  return [
    `"words":[${listed}]`,
    `"groups":"${stems.length === 0 ? '' : anywhere + inGroups}"`,
    ...joinedMember(joined),
    `"evidence":${isOutdated ? formerFeatures(scope, stems) : featuresOf(stems)}`,
    `"exact":${values}`,
    ...fields.flatMap(({ field, length }) => {
      const slot = slots[field]?.length
      return slot === undefined || length === 0 ? [] : [`"${slotName('length', slot)}":${length}`]
    }),
    ...(tokens === undefined ? [] : [`"tokens":"${tokens}"`]),
    ...rowMembers(rows, true),
  ]
}

/** What filters need of an element, in the same way. */
export function elementWordMembers(shape: ProductShape, element: IndexDocument): string[] {
  const { joined, rows } = readWords(shape, element)
  return [...joinedMember(joined), ...rowMembers(rows, false)]
}

function joinedMember(joined: ReadonlySet<string>): string[] {
  return joined.size === 0 ? [] : [`"joined":${JSON.stringify([...joined].join(' '))}`]
}

function readWords(
  { scope, schema, analyzer }: ProductShape,
  document: IndexDocument,
  gathered?: WordPacker,
): ReadWords {
  const words: string[] = []
  const stems: Stem[] = []
  const joined = new Set<string>()
  const exact = new Set<string>()
  const rows: Row[] = []
  const { weights, lengthNorms } = fieldSalience(schema)
  const known = KnownWords.of(analyzer)
  const number = known.begin()
  gathered?.begin(number)
  const fields = analyzeDocument(filterableAsWell(schema), analyzer, document)
  for (const { field, length, elements } of fields) {
    const { searchable } = schema.fields[field]!
    const asStem = fieldTerm(scope, field, '')
    const asForm = inflectedTerm(scope, field, '')
    const ofField: Stem[] = []
    for (const { tokens, start } of elements) {
      if (tokens.length === 0) continue
      const row = new Row(`${scope}/${field}`)
      const plain: string[] = []
      for (const { form, position, kind } of tokens) {
        const word = known.word(form)
        const { stem } = word
        const hasStem = searchable && !word.isStem
        row.add(position, kind, word, hasStem)
        if (kind === 'joined') {
          joined.add((word.isStem ? asStem : asForm) + word.short)
          if (hasStem) joined.add(joinedStemTerm(scope, field, stem.short))
        }
        if (!searchable) continue
        gathered?.add(word, field, start + position, kind === 'joined')
        if (kind !== 'joined') plain.push(form)
        if (word.document !== number) {
          word.document = number
          words.push(word.json)
        }
        if (stem.termFreq++ === 0) ofField.push(stem)
      }
      if (plain.length > 0 && plain.length <= EXACT_TOKENS_MAX) {
        exact.add(exactTerm(scope, field, plain))
      }
      rows.push(row)
    }
    if (ofField.length === 0) continue
    const step = lengthStep(length)
    for (const stem of ofField) {
      const impact = impactOf(stem.termFreq, step)
      stem.termFreq = 0
      if (stem.document !== number) {
        stems.push(stem)
        stem.evidence = 0
      }
      stem.document = number
      stem.evidence += fieldEvidence(impact, weights[field]!, lengthNorms[field]!, USUAL_LENGTH)
    }
  }
  return { fields, words, stems, joined, exact, rows }
}

/** Strings that can be filtered by their words: searchable fields, and strings with a column. */
function filterableAsWell(schema: Schema): Schema {
  const known = readSchemas.get(schema)
  if (known !== undefined) return known
  const fields = schema.fields.map((field) =>
    hasColumn(field) && elementType(field.type) === 'string'
      ? { ...field, searchable: true }
      : field,
  )
  const read = { fields }
  readSchemas.set(schema, read)
  return read
}

const readSchemas = new WeakMap<Schema, Schema>()

const NAMES = Array.from({ length: FEATURES }, (_, number) => featureName(number))
/** Evidence in the document being written, by feature; 0: it does not have it. */
const greatest = new Float64Array(FEATURES)

/**
 * The evidence of the stems by their features, the greatest where several share one: an object, in
 * the order of `JSON.stringify`.
 */
function featuresOf(stems: readonly Stem[]): string {
  const integers: number[] = []
  const others: number[] = []
  for (const { feature, evidence } of stems) {
    const before = greatest[feature]!
    if (before === 0) (isInteger(NAMES[feature]!) ? integers : others).push(feature)
    greatest[feature] = Math.max(before, roundedEvidence(evidence))
  }
  // An object enumerates names that are integers first, by their value.
  integers.sort((a, b) => Number(NAMES[a]!) - Number(NAMES[b]!))
  const members: string[] = []
  for (const feature of integers.concat(others)) {
    members.push(`"${NAMES[feature]!}":${greatest[feature]!}`)
    greatest[feature] = 0
  }
  return `{${members.join()}}`
}

/** Whether a name in base 36 has digits only. */
function isInteger(name: string): boolean {
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) > 0x39) return false
  return true
}

/** The same as older nodes write and search it: an object with a feature for each stem. */
function formerFeatures(scope: string, stems: readonly Stem[]): string {
  const features = Object.fromEntries(
    stems.map(({ text, evidence }) => [formerFeature(scope, text), roundedEvidence(evidence)]),
  )
  return JSON.stringify(features)
}

/** Enough digits to choose candidates. */
function roundedEvidence(evidence: number): number {
  const digits = evidence < 1 ? 1_000 : 100
  return Math.max(1, Math.round(evidence * digits)) / digits
}

/**
 * The words of a value: plain ones in the first layer, joined ones in the layers above. Each is a
 * term without what all terms of the field begin with.
 */
class Row {
  readonly forms: (string | undefined)[][] = [[]]
  /** Stems that differ from their forms. */
  readonly stems: (string | undefined)[][] = []
  readonly #start: string
  /** Length of the longest layer. */
  #length = 0

  /** @param start what all terms of the field begin with */
  constructor(start: string) {
    this.#start = start
  }

  add(position: number, kind: Token['kind'], word: Word, hasStem: boolean): void {
    let layer = kind === 'joined' ? 1 : 0
    while (this.forms[layer]?.[position] !== undefined) layer++
    if (layer > JOINED_LAYERS) return
    ;(this.forms[layer] ??= [])[position] = word.asForm
    if (hasStem) (this.stems[layer] ??= [])[position] = word.stem.asStem
    if (position >= this.#length) this.#length = position + 1
  }

  /** @param isLast whether nothing follows, so that empty places at the end count for nothing */
  text(words: readonly (string | undefined)[] = [], isLast: boolean): string {
    const start = this.#start
    const length = isLast ? Math.max(1, words.length) : this.#length
    if (words.length === length && !words.includes(undefined)) {
      return start + words.join(` ${start}`)
    }
    const places: string[] = []
    for (let at = 0; at < length; at++) {
      const word = words[at]
      places.push(word === undefined ? NOTHING : start + word)
    }
    return places.join(' ')
  }
}

/**
 * Forms and stems in a row. Each array element is a separate value, in the same order and with the
 * same length in every row, so that positions agree. Elements with many layers come first, those
 * without separate stems last: a row ends with the last element that needs it.
 *
 * @param withStems whether rows of stems are needed as well
 */
function rowMembers(elements: readonly Row[], withStems: boolean): string[] {
  const inOrder = elements.toSorted(
    (a, b) => b.forms.length - a.forms.length || b.stems.length - a.stems.length,
  )
  const members: string[] = []
  for (let layer = 0; layer <= JOINED_LAYERS; layer++) {
    const last = inOrder.findLastIndex(({ forms }) => forms.length > layer)
    if (last === -1) break
    const forms = inOrder.slice(0, last + 1)
    const formTexts = forms.map((row, at) => row.text(row.forms[layer], at === last))
    members.push(`"row${layer}":["${formTexts.join('","')}"]`)
    const lastStem = inOrder.findLastIndex(({ stems }) => stems[layer] !== undefined)
    if (!withStems || lastStem === -1) continue
    const stems = inOrder.slice(0, lastStem + 1)
    const stemTexts = stems.map((row, at) => row.text(row.stems[layer], at === lastStem))
    members.push(`"stemRow${layer}":["${stemTexts.join('","')}"]`)
  }
  return members
}
