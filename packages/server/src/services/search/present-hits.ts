import { ANSWER_MAX_CHARS, MARKS_MAX_CHARS, type SearchParameters } from '@aisle/contract'
import type { Schema } from '@aisle/engine'
import { textOf } from '../../domain/json/json-scan.ts'
import { spliceText, type SpliceOptions } from '../../domain/json/json-splice.ts'
import { answerTooLarge } from './answer-size.ts'
import { presentExplanation } from './present-explanation.ts'
import { HitMarker, type HitMarks } from './present-marks.ts'
import type { ExecutedSearch } from './executed-search.ts'

/** Members that `hit_format: "flat"` puts beside the document's own; they win over those. */
const FLAT_MEMBERS = [
  '_highlight',
  '_snippets',
  '_text_match_score',
  '_curated',
  '_explanation',
] as const

/**
 * @returns the hits of a page as JSON texts, joined by commas; `cutoff` if time ran out before all
 *   were highlighted
 * @throws ApiError answer_too_large
 */
export async function presentHits(executed: ExecutedSearch): Promise<PresentedHits> {
  const { ports, storeId, request, schema, rules, outcome, teams, pace } = executed
  if (outcome.hits.length === 0) return NO_HITS
  const isFlat = request.hit_format === 'flat'
  const splice = spliceOptions(request, schema)
  const marker = new HitMarker(executed)
  let hits = ''
  for (const { docKey, textMatchScore, pinned, explanation } of outcome.hits) {
    if (pace.isDue()) await pace.rest()
    const fetched = ports.reader.fetch(storeId, docKey)
    // Not a turn for each hit.
    const document = fetched instanceof Promise ? await fetched : fetched
    // It was replaced by a write since it was found.
    if (document === undefined) continue
    if (hits !== '') hits += ','
    const text = textOf(document.json, 0, document.json.length)
    const json = spliceText(text, document.json, document.id, splice)
    const shown = { id: document.id, json }
    const marks = marker.of(text)
    const tree =
      explanation &&
      JSON.stringify(
        presentExplanation(explanation, schema, rules?.boosts ?? [], teams?.get(docKey)),
      )
    const score: HitScore = { textMatchScore, isCurated: pinned === true, tree }
    hits += isFlat ? flatHit(shown, marks, score) : wrappedHit(shown, marks, score)
    if (hits.length > ANSWER_MAX_CHARS) throw answerTooLarge()
  }
  const warnings = marker.isCut
    ? [`Only the first ${MARKS_MAX_CHARS} characters of highlights and snippets are in the answer`]
    : []
  return { json: hits, cutoff: marker.cutoff, warnings }
}

const NO_HITS: PresentedHits = { json: '', cutoff: false, warnings: [] }

interface PresentedHits {
  readonly json: string
  readonly cutoff: boolean
  readonly warnings: readonly string[]
}

/** Why a hit has its rank. */
interface HitScore {
  readonly textMatchScore: number
  /** Whether a rule pinned it. */
  readonly isCurated: boolean
  /** The explanation as JSON text, if requested. */
  readonly tree: string | undefined
}

/** A document as far as it is shown, as JSON text. */
interface ShownDocument {
  readonly id: string
  readonly json: string
}

function wrappedHit(
  shown: ShownDocument,
  { highlight, snippets }: HitMarks,
  { textMatchScore, isCurated, tree }: HitScore,
): string {
  let json = `{"id":${JSON.stringify(shown.id)},"document":${shown.json}`
  if (highlight !== undefined) json += `,"highlight":${highlight}`
  if (snippets !== undefined) json += `,"snippets":${snippets}`
  json += `,"text_match_score":${textMatchScore}`
  if (isCurated) json += ',"curated":true'
  if (tree !== undefined) json += `,"explanation":${tree}`
  return `${json}}`
}

function flatHit(
  shown: ShownDocument,
  { highlight, snippets }: HitMarks,
  { textMatchScore, isCurated, tree }: HitScore,
): string {
  // The object always has its id and is never empty, so further members need a comma.
  let json = shown.json.trimEnd().slice(0, -1)
  if (highlight !== undefined) json += `,"_highlight":${highlight}`
  if (snippets !== undefined) json += `,"_snippets":${snippets}`
  json += `,"_text_match_score":${textMatchScore}`
  if (isCurated) json += ',"_curated":true'
  if (tree !== undefined) json += `,"_explanation":${tree}`
  return `${json}}`
}

/**
 * Which fields of a document are shown. Omitting wins; an empty list of fields to return means all.
 */
function spliceOptions(request: SearchParameters, schema: Schema): SpliceOptions {
  const isFlat = request.hit_format === 'flat'
  const { return_fields: shown = [], omit_fields: omitted = [] } = request
  const include = shown.length === 0 ? undefined : new Set(shown)
  const names = new Set(schema.fields.map((field) => field.name))
  const hidden = isFlat ? [...omitted, ...FLAT_MEMBERS.filter((name) => names.has(name))] : omitted
  const exclude = hidden.length === 0 ? undefined : new Set(hidden)
  const withId =
    isFlat || ((include === undefined || include.has('id')) && exclude?.has('id') !== true)
  return { withId, include, exclude }
}
