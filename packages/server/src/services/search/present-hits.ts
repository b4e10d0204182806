import {
  ANSWER_MAX_CHARS,
  MARKS_MAX_CHARS,
  POPULARITY_TRIAL_ID,
  type ScoreExplanation,
  type SearchParameters,
} from '@aisle/contract'
import { isVector, type RankedHit, type Schema } from '@aisle/engine'
import { membersNamed, shownPaths } from '../../domain/documents/nested-fields.ts'
import type { Team } from '../../domain/plan/team-draft.ts'
import type { FetchedDocuments, StoredDocument } from '../../ports/catalog/document-reader.ts'
import { textOf } from '../../domain/json/json-scan.ts'
import {
  membersBehindBrace,
  spliceText,
  type SpliceOptions,
} from '../../domain/json/json-splice.ts'
import { answerTooLarge, charCount } from './answer-size.ts'
import type { AnswerWriter } from './answer-writer.ts'
import { measuredFields, presentDistances } from './present-distances.ts'
import { presentExplanation } from './present-explanation.ts'
import { inTurns } from '../../ports/search/turns.ts'
import { HitMarker, LONG_TEXT_BYTES } from './present-marks.ts'
import { comparedField, presentSimilarity, type ComparedField } from './present-similarity.ts'
import type { ExecutedSearch } from './executed-search.ts'

/** Members that `hit_format: "flat"` adds to the document's own, which they override. */
const FLAT_MEMBERS = [
  '_highlight',
  '_snippets',
  '_text_match_score',
  '_curated',
  '_geo_distance_meters',
  '_vector_similarity',
  '_explanation',
] as const

const CLOSE_BRACE = 0x7d
/** A response of this size is a large one: what is missing is measured before it is written. */
const MEASURED_BYTES = 32_768
/** Members of a hit besides its document, about. */
const HIT_BYTES = 200

/** It has no other explanation: its words do not affect its rank. */
const FOUND_BY_ID = JSON.stringify({
  tier: 0,
  exact_value: 0,
  words: [],
  pairs: [],
  id_match: true,
} satisfies ScoreExplanation)

const WRAPPED_MARKS = { highlight: ',"highlight":', snippets: ',"snippets":' }
const FLAT_MARKS = { highlight: ',"_highlight":', snippets: ',"_snippets":' }

/** Writes the hits of a search, one after another. */
export class HitPresenter {
  readonly #executed: ExecutedSearch
  readonly #answer: AnswerWriter
  readonly #marker: HitMarker
  readonly #splice: SpliceOptions
  readonly #isFlat: boolean
  readonly #measured: ReturnType<typeof measuredFields>
  readonly #compared: ComparedField | undefined
  /** Writes the hits that the draft of an experiment placed. */
  readonly #drafted: HitPresenter | undefined
  /** Number of characters of hits, counted up to this offset of the answer. */
  #chars = 0
  #countedTo: number

  constructor(executed: ExecutedSearch, answer: AnswerWriter) {
    const { request, schema, planned } = executed
    this.#executed = executed
    this.#answer = answer
    this.#marker = new HitMarker(executed)
    this.#splice = spliceOptions(request, schema)
    this.#isFlat = request.hit_format === 'flat'
    this.#measured = measuredFields(planned.plan, schema, request)
    this.#compared = comparedField(planned.plan, schema, request)
    this.#drafted = executed.drafted && new HitPresenter(executed.drafted, answer)
    this.#countedTo = answer.length
  }

  /** Whether time ran out before all hits were highlighted. */
  get cutoff(): boolean {
    return this.#marker.cutoff || this.#drafted?.cutoff === true
  }

  get warnings(): readonly string[] {
    return this.#isCut
      ? [
          `Only the first ${MARKS_MAX_CHARS} characters of highlights and snippets are in the answer`,
        ]
      : []
  }

  get #isCut(): boolean {
    return this.#marker.isCut || (this.#drafted !== undefined && this.#drafted.#isCut)
  }

  /**
   * Writes some hits, separated by commas. Skips documents that a write has replaced since they
   * were found.
   *
   * @throws ApiError answer_too_large
   */
  async write(hits: readonly RankedHit[]): Promise<void> {
    const { ports, storeId, content, pace } = this.#executed
    const docKeys = hits.map(({ docKey }) => docKey)
    const documentOf = await ports.reader.fetch(storeId, docKeys, content)
    let isFirst = true
    let isMeasured = false
    for (const [i, hit] of hits.entries()) {
      if (pace.isDue()) await pace.rest()
      if (!isMeasured && this.#answer.length > MEASURED_BYTES) {
        isMeasured = true
        if (this.#isWhole) await this.#measure(hits.slice(i), documentOf)
      }
      let document = documentOf(hit.docKey)
      const own = this.#presenterOf(hit)
      if (document !== undefined && document.json.length >= LONG_TEXT_BYTES) {
        await inTurns(own.#prepareLong(document.json), pace)
        document = documentOf(hit.docKey)
      }
      if (document === undefined) continue
      if (!isFirst) this.#answer.text(',')
      isFirst = false
      own.#writeHit(hit, document)
      this.#checkSize()
    }
  }

  #presenterOf({ docKey }: RankedHit): HitPresenter {
    const isDrafted = this.#executed.teams?.get(docKey) === 'draft'
    return isDrafted ? (this.#drafted ?? this) : this
  }

  *#prepareLong(json: Uint8Array): Generator<void, void> {
    const { pace } = this.#executed
    for (const _ of this.#marker.prepare(Buffer.from(json))) if (pace.isDue()) yield
  }

  /** Whether documents are shown as they are stored. */
  get #isWhole(): boolean {
    const { include, exclude } = this.#splice
    return include === undefined && exclude === undefined
  }

  /**
   * Sums up large documents before the first of them is copied: for memory of the right size, and
   * for none if they are too many.
   *
   * @throws ApiError answer_too_large
   */
  async #measure(hits: readonly RankedHit[], documentOf: FetchedDocuments): Promise<void> {
    const bytes = await this.#sum(hits, documentOf, (json) => json.length + HIT_BYTES)
    // Characters are counted one by one, and are never more than bytes.
    if (this.#answer.length + bytes > ANSWER_MAX_CHARS) {
      const chars = await this.#sum(hits, documentOf, charCount)
      if (this.#countChars() + chars > ANSWER_MAX_CHARS) throw answerTooLarge()
    }
    this.#answer.expect(bytes)
  }

  async #sum(
    hits: readonly RankedHit[],
    documentOf: FetchedDocuments,
    sizeOf: (json: Uint8Array) => number,
  ): Promise<number> {
    const { pace } = this.#executed
    let sum = 0
    for (const { docKey } of hits) {
      if (pace.isDue()) await pace.rest()
      const json = documentOf(docKey)?.json
      if (json !== undefined) sum += sizeOf(json)
    }
    return sum
  }

  #writeHit(hit: RankedHit, document: StoredDocument): void {
    const answer = this.#answer
    const { include, exclude } = this.#splice
    const { json } = document
    this.#marker.read(json)
    const isWhole = include === undefined && exclude === undefined && !this.#marker.hasId
    const score = this.#scoreOf(hit, json)
    if (this.#isFlat) {
      // The object always has its id and is never empty, so further members need a comma.
      answer.text(this.#spliced(document).trimEnd().slice(0, -1))
      this.#marker.write(answer, FLAT_MARKS)
      answer.text(flatRest(score))
      return
    }
    const id = JSON.stringify(document.id)
    if (isWhole) {
      answer.text(`{"id":${id},"document":{"id":${id}`)
      const members = membersBehindBrace(json)
      if (members[0] !== CLOSE_BRACE) answer.text(',')
      answer.bytes(members)
    } else answer.text(`{"id":${id},"document":${this.#spliced(document)}`)
    this.#marker.write(answer, WRAPPED_MARKS)
    answer.text(wrappedRest(score))
  }

  #spliced({ id, json }: StoredDocument): string {
    return spliceText(textOf(json, 0, json.length), json, id, this.#splice)
  }

  #scoreOf(hit: RankedHit, json: Uint8Array): HitScore {
    const { docKey, textMatchScore, pinned, byId, explanation } = hit
    const { schema, rules, teams, planned, experiment } = this.#executed
    const { meaning } = planned.plan
    const plan = { boosts: rules?.boosts ?? [], meaning }
    const tree =
      explanation &&
      JSON.stringify({
        ...presentExplanation(explanation, schema, plan),
        ...presentPlace(teams?.get(docKey), experiment?.id),
      })
    const measured = this.#measured
    const distances = measured.length === 0 ? undefined : presentDistances(measured, json)
    const isFoundById = byId === true && this.#executed.request.explain === true
    return {
      textMatchScore,
      isCurated: pinned === true && byId !== true,
      distances,
      similarity: this.#compared && presentSimilarity(this.#compared, json),
      tree: isFoundById ? FOUND_BY_ID : tree,
    }
  }

  #checkSize(): void {
    const { length } = this.#answer
    // There are at least as many bytes as characters.
    if (this.#chars + length - this.#countedTo <= ANSWER_MAX_CHARS) return
    if (this.#countChars() <= ANSWER_MAX_CHARS) return
    this.#answer.discard()
    throw answerTooLarge()
  }

  #countChars(): number {
    this.#chars += charCount(this.#answer.written(this.#countedTo))
    this.#countedTo = this.#answer.length
    return this.#chars
  }
}

/** The order of an interleaved experiment that placed a hit. */
function presentPlace(
  team: Team | undefined,
  experimentId: string | undefined,
): Pick<ScoreExplanation, 'placed_by' | 'popularity_trial'> {
  if (team === undefined) return {}
  if (experimentId !== POPULARITY_TRIAL_ID) return { placed_by: team }
  return { placed_by: team, popularity_trial: team === 'draft' ? 'with' : 'without' }
}

/** Why a hit has its rank. */
interface HitScore {
  readonly textMatchScore: number
  /** Whether a rule pinned it. */
  readonly isCurated: boolean
  /** Distances by field as JSON text, where the search measures them. */
  readonly distances: string | undefined
  /** Similarity of its vector to that of the search. */
  readonly similarity: number | undefined
  /** The explanation as JSON text, if requested. */
  readonly tree: string | undefined
}

/** Returns the members of a hit after its marks. */
function wrappedRest({ textMatchScore, isCurated, distances, similarity, tree }: HitScore): string {
  let json = `,"text_match_score":${textMatchScore}`
  if (isCurated) json += ',"curated":true'
  if (distances !== undefined) json += `,"geo_distance_meters":${distances}`
  if (similarity !== undefined) json += `,"vector_similarity":${similarity}`
  if (tree !== undefined) json += `,"explanation":${tree}`
  return `${json}}`
}

function flatRest({ textMatchScore, isCurated, distances, similarity, tree }: HitScore): string {
  let json = `,"_text_match_score":${textMatchScore}`
  if (isCurated) json += ',"_curated":true'
  if (distances !== undefined) json += `,"_geo_distance_meters":${distances}`
  if (similarity !== undefined) json += `,"_vector_similarity":${similarity}`
  if (tree !== undefined) json += `,"_explanation":${tree}`
  return `${json}}`
}

/**
 * Returns which fields of a document are shown. Omitted fields override returned ones; an empty
 * list of fields to return means all.
 */
function spliceOptions(request: SearchParameters, schema: Schema): SpliceOptions {
  const isFlat = request.hit_format === 'flat'
  const { return_fields: shown = [], omit_fields: omitted = [] } = request
  const include = shown.length === 0 ? undefined : membersNamed(shown, schema)
  const hasField = (name: string): boolean => schema.fields.some((field) => field.name === name)
  // Vectors are long and nothing to read: they are shown only where a request names them.
  const vectors = shown.length > 0 ? [] : schema.fields.filter(isVector).map(({ name }) => name)
  const hidden = [...omitted, ...vectors, ...(isFlat ? FLAT_MEMBERS.filter(hasField) : [])]
  const exclude = hidden.length === 0 ? undefined : membersNamed(hidden, schema)
  const withId =
    isFlat || ((include === undefined || include.has('id')) && exclude?.has('id') !== true)
  return { withId, include, exclude, paths: shownPaths(include, exclude, schema) }
}
