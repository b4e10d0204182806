import { hasBit, setBit } from '../../codec/bitset.ts'
import { ELEMENT_STRIDE } from '../../analysis/analyze-document.ts'
import { idsBegunBy, idsWithPrefix } from '../../dictionary/term-walks.ts'
import { mayBeginOtherwise } from '../../query/beginnings.ts'
import { documentsWithForms, formMasks } from './form-union.ts'
import { isArrayType } from '../../schema/schema.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import { pause, type Pace, type Steps } from '../view/steps.ts'

/** Postings read between two looks at the clock: some milliseconds. */
const POSTINGS_PER_CHECK = 4096

/**
 * Documents in which one element of a searchable field contains all of these forms. Intersects the
 * posting lists, then checks positions, because a list covers the whole stem group and the whole
 * document.
 */
export function* documentsWithWords(
  view: IndexView,
  segment: SegmentView,
  field: number,
  forms: readonly string[],
  pace: Pace,
): Steps<Uint32Array> {
  const bits = segment.emptyBits()
  const textField = segment.reader.textFields.indexOf(field)
  const ids = forms.map((form) => view.terms.find(form))
  if (textField < 0 || ids.some((id) => id < 0 || view.terms.groupOf(id) < 0)) return bits
  const isArray = isArrayType(view.schema.fields[field]!.type)
  const elements: ElementsByDocument[] = []
  for (const id of ids) elements.push(yield* elementsWithForm(view, segment, textField, id, pace))
  const [first, ...others] = elements as [ElementsByDocument, ...ElementsByDocument[]]
  for (const [docOrd, places] of first) {
    const fits = isArray
      ? places.some((place) => others.every((other) => other.get(docOrd)?.includes(place)))
      : others.every((other) => other.has(docOrd))
    if (fits) setBit(bits, docOrd)
  }
  return bits
}

/** By docOrd: the starts of the elements with a form. */
type ElementsByDocument = Map<number, number[]>

function* elementsWithForm(
  view: IndexView,
  segment: SegmentView,
  textField: number,
  form: number,
  pace: Pace,
): Steps<ElementsByDocument> {
  const { reader } = segment
  const found: ElementsByDocument = new Map()
  const list = reader.listOf(view.terms.groupOf(form))
  if (list < 0) return found
  const number = view.terms.numberOf(form)
  const width = reader.textFields.length
  for (const { base, from, to } of reader.postingSlices(list, POSTINGS_PER_CHECK)) {
    yield* pause(pace)
    for (let posting = from; posting < to; posting++) {
      if (reader.impacts[reader.codes[posting]! * width + textField] === 0) continue
      if ((reader.formMask(list, posting) & (1 << number)) === 0) continue
      const places: number[] = []
      for (const occurrence of reader.occurrencesOf(posting)) {
        if (occurrence.textField !== textField) continue
        if (occurrence.form >= 0 && occurrence.form !== number) continue
        places.push(Math.floor(occurrence.position / ELEMENT_STRIDE))
      }
      if (places.length > 0) found.set(base + reader.ids[posting]!, places)
    }
  }
  return found
}

/** Documents in which a searchable field contains a form that starts with `prefix`. */
export function* documentsWithWordPrefix(
  view: IndexView,
  segment: SegmentView,
  field: number,
  prefix: string,
  pace: Pace,
): Steps<Uint32Array> {
  const bits = segment.emptyBits()
  const textField = segment.reader.textFields.indexOf(field)
  if (textField < 0) return bits
  for (const form of idsWithPrefix(view.terms, view.trie, prefix)) {
    if (view.terms.formDocFreq(form) === 0) continue
    yield* pause(pace)
    const elements = yield* elementsWithForm(view, segment, textField, form, pace)
    for (const docOrd of elements.keys()) setBit(bits, docOrd)
  }
  return bits
}

/**
 * Documents that contain, in a searched field, a form with a short prefix, without forms of the
 * prefix's own stem group. Merged segments store the expensive ones; others are cached per segment.
 */
export function shortPrefixBits(
  run: SearchRun,
  segment: SegmentView,
  prefix: string,
  ownStem: string,
): Uint32Array {
  const { view, plan, tables, checkDeadline } = run
  const { reader } = segment
  const table = tables.of(segment)
  const isStored = table.isAllSearched && !mayBeginOtherwise(prefix, view.analyzer)
  const stored = isStored ? storedPrefixBits(view, segment, prefix, ownStem) : undefined
  if (stored !== undefined) return stored
  const isSearched = reader.textFields.map((field) => (plan.fieldWeights[field] ?? 0) > 0)
  const key = `${prefix} ${isSearched.map(Number).join('')}`
  const cached = segment.wordBits.get(key)
  if (cached !== undefined) return cached
  const masks = prefixMasks(view, prefix, ownStem)
  const partial = table.isAllSearched ? [] : partialGroups(view, masks)
  const whole = partial.length === 0 ? masks : new Map(masks)
  for (const [group] of partial) (whole as Map<number, number>).delete(group)
  const bits = documentsWithForms(run, segment, whole, table)
  for (const [group, formMask] of partial) {
    const list = reader.listOf(group)
    if (list < 0) continue
    checkDeadline()
    addFormsInFields(segment, list, formMask, isSearched, bits)
  }
  segment.wordBits.set(key, bits)
  return bits
}

/** The same from a merged segment that stores it, if all its postings are in searched fields. */
function storedPrefixBits(
  { terms }: IndexView,
  { reader }: SegmentView,
  prefix: string,
  ownStem: string,
): Uint32Array | undefined {
  const group = terms.find(ownStem)
  return reader.beginnings.of(prefix, group >= 0 && reader.listOf(group) >= 0 ? group : -1)
}

/** By stem group, see `formMasks`. */
type FormMasks = ReadonlyMap<number, number>

/** The latest prefix of a view, because a search visits one segment after the other. */
const latest = new WeakMap<IndexView, { readonly key: string; readonly masks: FormMasks }>()

/** The forms with a prefix, without the group of `ownStem`. */
function prefixMasks(view: IndexView, prefix: string, ownStem: string): FormMasks {
  const key = `${prefix} ${ownStem}`
  const known = latest.get(view)
  if (known?.key === key) return known.masks
  const masks = formMasks(view, idsBegunBy(view, prefix))
  masks.delete(view.terms.find(ownStem))
  latest.set(view, { key, masks })
  return masks
}

/** Groups that also have other forms: only the positions tell which form is in which field. */
function partialGroups({ terms }: IndexView, masks: FormMasks): [number, number][] {
  return [...masks].filter(([group, mask]) =>
    terms.formsOf(group).some((form) => ((mask >>> terms.numberOf(form)) & 1) === 0),
  )
}

/** Sets the bits of the documents with a form of the mask in one of the fields. */
function addFormsInFields(
  { reader }: SegmentView,
  list: number,
  formMask: number,
  isSearched: readonly boolean[],
  bits: Uint32Array,
): void {
  reader.forEachPosting(list, (docOrd, posting) => {
    if (hasBit(bits, docOrd) || (reader.formMask(list, posting) & formMask) === 0) return
    const stands = reader
      .occurrencesOf(posting)
      .some(
        ({ textField, form }) =>
          isSearched[textField] === true && (form < 0 || (formMask & (1 << form)) !== 0),
      )
    if (stands) setBit(bits, docOrd)
  })
}
