import type { SchemaFieldRequest, StoreSchema } from '@aisle/client'
import { isCategoryName, isFilterName, kindOfName } from '../cells/column-name.ts'
import type { NumberFormat } from '../cells/number-text.ts'
import { levelField, LEVELS_MAX, PATH_MARKS, type PathMark } from '../cells/path-text.ts'
import type { Reading } from '../cells/reading.ts'
import type { ColumnProfile } from '../profile/column-profile.ts'
import type { FileProfile } from '../profile/file-profile.ts'
import type { ValueStats } from '../profile/value-stats.ts'
import { coveringPattern, objectsAbove } from '../field-patterns.ts'
import { decideColumn, type Decision, type FieldType, type ScalarType } from './decide-column.ts'
import type { ProposedColumn, ProposeOptions } from './proposal.ts'

/** Texts that repeat this often become facets. */
const FACET_SHARE_MAX = 0.5
/** Maximum share of long texts in a facet. */
const LONG_SHARE_MAX = 0.01
/** A column holds lists if this share of its cells contains the separator. */
const LIST_SHARE_MIN = 0.1
/** It also does if this many cells do, without spaces around it, and the parts repeat. */
const LIST_CELLS_MIN = 20

/** Proposes a field for each column. */
export class ColumnProposer {
  readonly #profile: FileProfile
  readonly #targets: ReadonlyMap<string, string>
  readonly #options: ProposeOptions
  readonly #known: ReadonlyMap<string, StoreSchema['fields'][number]>
  readonly #isTable: boolean
  /** The formats of unambiguous columns, which decide ambiguous ones. */
  readonly #votes: { numbers: NumberFormat; column: string } | undefined
  readonly #dateVotes: { dates: 'dmy' | 'mdy'; column: string } | undefined

  constructor(profile: FileProfile, targets: ReadonlyMap<string, string>, options: ProposeOptions) {
    this.#profile = profile
    this.#targets = targets
    this.#options = options
    this.#known = new Map(options.schema?.fields.map((field) => [field.name, field]))
    this.#isTable = profile.columns !== undefined
    const clear = [...profile.paths].map(([path, column]) => {
      const { stats } = this.#statsOf(column)
      return { path, stats, decision: this.#decide(path, stats, undefined) }
    })
    this.#votes = unanimous(
      clear.flatMap(({ path, stats, decision: { question, reading } }) => {
        const isClear = question === undefined && stats.of('marked') > 0
        return isClear && reading.numbers !== undefined
          ? [{ numbers: reading.numbers, column: path }]
          : []
      }),
      ({ numbers }) => numbers,
    )
    this.#dateVotes = unanimous(
      clear.flatMap(({ path, stats, decision: { question, reading } }) => {
        const isClear = question === undefined && stats.of('dmy') !== stats.of('mdy')
        return isClear && reading.dates !== undefined
          ? [{ dates: reading.dates, column: path }]
          : []
      }),
      ({ dates }) => dates,
    )
  }

  /** The field of a path in the file. */
  targetOf(path: string): string {
    const own = this.#targets.get(path)
    if (own !== undefined) return own
    const above = objectsAbove(path).findLast((one) => this.#targets.has(one))
    if (above === undefined) return path
    const target = this.#targets.get(above)!
    return target === '' ? '' : target + path.slice(above.length)
  }

  knows(target: string): boolean {
    return this.#known.has(target)
  }

  /** A pattern of the store adds the field. */
  isCovered(target: string): boolean {
    return coveringPattern(target, this.#known) !== undefined
  }

  /** @param isListed inside a list of objects, where sorting is impossible */
  column(path: string, isListed: boolean): ProposedColumn {
    const column = this.#profile.paths.get(path)
    const target = this.targetOf(path)
    const rest = {
      path,
      valueCount: column?.valueCount ?? 0,
      emptyShare: this.#profile.emptyShare(path),
      examples: column?.whole.examples ?? [],
      companions: [],
      isConverted: false,
      hasFormat: false,
      reading: {},
      currencies: [],
      faults: [],
      faultCount: 0,
      question: undefined,
    }
    const known = this.#known.get(target)
    if (column === undefined || column.valueCount === 0) {
      const isKept = known !== undefined || this.#options.types?.has(target) === true
      const field = known ?? { name: target, type: 'string' as const, searchable: true }
      return {
        ...rest,
        target: isKept ? target : '',
        field: isKept ? field : undefined,
        isNew: isKept && known === undefined,
        why: 'left out: no row has a value',
      }
    }
    if (target === '') {
      const isId = path === this.#options.idColumn
      const why = isId ? 'the document id' : 'left out'
      return { ...rest, target, field: undefined, isNew: false, why }
    }
    const proposed = this.#proposed(path, target, column, isListed)
    return { ...rest, ...proposed, target, isNew: known === undefined && !this.isCovered(target) }
  }

  #proposed(
    path: string,
    target: string,
    column: ColumnProfile,
    isListed: boolean,
  ): Pick<
    ProposedColumn,
    | 'field'
    | 'why'
    | 'reading'
    | 'faults'
    | 'faultCount'
    | 'question'
    | 'companions'
    | 'isConverted'
    | 'currencies'
    | 'hasFormat'
  > {
    const known = this.#known.get(target)
    const chosen = known?.type ?? this.#options.types?.get(target)
    const { stats, isDivided } = this.#statsOf(column)
    const isList = chosen?.endsWith('[]') ?? (column.hasLists || isDivided)
    const plain = { companions: [], currencies: [], faults: [], faultCount: 0, question: undefined }
    const isPlaces = column.placeCount > 0 && column.otherCount === 0
    if (isPlaces && (chosen === undefined || chosen.startsWith('geopoint'))) {
      const field = known ?? {
        name: target,
        type: isList ? ('geopoint[]' as const) : ('geopoint' as const),
      }
      const isConverted = (isList && column.hasSingles) || this.#profile.blank.has(path)
      return { ...plain, field, why: 'coordinates', reading: {}, isConverted, hasFormat: false }
    }
    const vector = this.#vectorField(target, column, isListed)
    if (vector !== undefined) {
      const isConverted = column.hasSingles && !this.#isTable
      const why =
        known === undefined ? `vectors of ${vector.dimensions} dimensions` : 'as in the schema'
      return { ...plain, field: vector, why, reading: {}, isConverted, hasFormat: false }
    }
    const decision = this.#decide(path, stats, target)
    const type = chosen ?? ((isList ? `${decision.type}[]` : decision.type) as FieldType)
    const reading: Reading = { ...decision.reading }
    const notes = [decision.why]
    if (isDivided) notes.push('lists, split at the separator')
    const isText = type.startsWith('string')
    const { keepHtml, asIs } = this.#options
    const hasHtml = isText && asIs !== true && stats.of('html') * 2 > stats.count
    if (hasHtml && keepHtml !== true) {
      notes.push('most values contain HTML: tags are stripped')
      Object.assign(reading, { stripsHtml: true })
    } else if (hasHtml) notes.push('HTML is kept')
    const path_ = isText && !path.includes('.') ? this.#pathMark(target, stats) : undefined
    const companions: SchemaFieldRequest[] = []
    if (path_ !== undefined) {
      const { mark, depth } = path_
      Object.assign(reading, { path: mark })
      const levels = Array.from({ length: depth }, (_, i) => levelField(target, i))
      notes.push(
        `category paths ("${mark}"): levels go to ${levels[0]}${depth > 1 ? ` … ${levels.at(-1)}` : ''}, the deepest name to ${target}`,
      )
      if (known === undefined) {
        const list = isList ? ('string[]' as const) : ('string' as const)
        companions.push(...levels.map((name) => ({ name, type: list, facet: true })))
      }
    }
    const isFilter = decision.type === 'string' && isFilterName(target)
    const roles = isFilter
      ? { facet: true as const }
      : rolesOf(decision.type, isList || isListed, stats, path_ !== undefined)
    const isId = path === this.#options.idColumn
    const field: SchemaFieldRequest = known ?? {
      name: target,
      type,
      ...(isId && decision.type === 'string' ? { searchable: true } : roles),
    }
    return {
      field,
      why: notes.join('; '),
      reading,
      companions,
      currencies: [...stats.currencies.keys()].filter((code) => code !== ''),
      faults: decision.faults,
      faultCount: decision.faultCount,
      question: decision.question,
      hasFormat: reading.numbers !== undefined && stats.of('marked') > 0,
      isConverted:
        !this.#isTable &&
        asIs !== true &&
        (needsConversion(column, type, reading) ||
          (this.#profile.blank.has(path) && type !== 'string')),
    }
  }

  /** The field of vectors: that of the store, or a new one where all values are vectors. */
  #vectorField(
    target: string,
    { vectorLength }: ColumnProfile,
    isListed: boolean,
  ): SchemaFieldRequest | undefined {
    const known = this.#known.get(target)
    if (known !== undefined) return known.type === 'vector' ? known : undefined
    const chosen = this.#options.types?.get(target)
    const isMeant = chosen === undefined || chosen === 'vector'
    const isAllowed = isMeant && !isListed && !this.isCovered(target)
    if (vectorLength === undefined || !isAllowed) return undefined
    return { name: target, type: 'vector', dimensions: vectorLength }
  }

  /** @param target undefined: only to see what the values suggest */
  #decide(path: string, stats: ValueStats, target: string | undefined): Decision {
    const { numbers, dates, types, asIs, idColumn } = this.#options
    const given = {
      numbers: numbers?.get(path) ?? numbers?.get(''),
      dates: dates?.get(path) ?? dates?.get(''),
      isTable: this.#isTable,
      asIs: asIs === true,
    }
    const name = target ?? this.targetOf(path)
    const inSchema = this.#known.get(name)?.type
    const chosen = inSchema ?? types?.get(name)
    const because = inSchema === undefined ? 'as you chose' : 'as in the schema'
    const isId = path === idColumn && asIs !== true
    const scalar = scalarOf(chosen) ?? (isId ? 'string' : undefined)
    const reason = chosen === undefined ? 'the document id, also searchable' : because
    const options = { ...given, type: scalar, because: reason }
    const decision = decideColumn(name, stats, options)
    if (target === undefined || decision.question === undefined) return decision
    const { kind } = decision.question
    const vote = kind === 'numbers' ? this.#votes : kind === 'dates' ? this.#dateVotes : undefined
    if (vote === undefined || vote.column === path) return decision
    const decided = decideColumn(name, stats, { ...options, ...vote })
    return { ...decided, why: `${decided.why}; as in "${vote.column}"` }
  }

  #statsOf(column: ColumnProfile): { stats: ValueStats; isDivided: boolean } {
    const isDivided = isDividedColumn(column)
    return { stats: isDivided ? column.parts : column.whole, isDivided }
  }

  #pathMark(target: string, stats: ValueStats): { mark: PathMark; depth: number } | undefined {
    if (this.#options.asIs === true || kindOfName(target) === 'code') return undefined
    if (this.#known.has(target) && !this.#known.has(levelField(target, 0))) return undefined
    const level = levelField(target, 0)
    if ([...this.#targets.values()].includes(level) && !this.#known.has(level)) return undefined
    for (const mark of PATH_MARKS) {
      const paths = stats.paths.get(mark)
      if (paths?.isTree(stats.count, isCategoryName(target)) !== true) continue
      return { mark, depth: Math.min(paths.depth, LEVELS_MAX) }
    }
    return undefined
  }
}

function scalarOf(type: FieldType | undefined): ScalarType | undefined {
  const scalar = type?.endsWith('[]') === true ? type.slice(0, -2) : type
  return scalar === undefined || scalar === 'object' || scalar === 'auto' || scalar === 'vector'
    ? undefined
    : (scalar as ScalarType)
}

/** The vote that all share; undefined if they differ, or there is none. */
function unanimous<Vote>(votes: readonly Vote[], of: (vote: Vote) => string): Vote | undefined {
  return new Set(votes.map(of)).size === 1 ? votes[0] : undefined
}

/** URLs, or short parts. (A title with bars has spaces around them; its parts do not repeat.) */
function isDividedColumn({ dividedCount, valueCount, parts, isSpaced }: ColumnProfile): boolean {
  const isOften = dividedCount >= valueCount * LIST_SHARE_MIN
  const isRare = dividedCount >= LIST_CELLS_MIN && !isSpaced && repeats(parts)
  if (dividedCount === 0 || !(isOften || isRare)) return false
  const isAddress = parts.of('address') * 2 > parts.count
  return isAddress || (isShort(parts) && (repeats(parts) || !isSpaced))
}

function isShort(stats: ValueStats): boolean {
  return stats.of('long') <= stats.count * LONG_SHARE_MAX
}

function repeats(stats: ValueStats): boolean {
  return stats.distinctCount <= Math.max(1, stats.count * FACET_SHARE_MAX)
}

function rolesOf(
  type: ScalarType,
  isList: boolean,
  stats: ValueStats,
  isPath: boolean,
): { searchable?: true; facet?: true; sort?: true } {
  const sort = isList ? {} : { sort: true as const }
  if (type === 'geopoint') return {}
  if (type === 'bool') return { facet: true }
  if (type !== 'string') return { facet: true, ...sort }
  if (stats.of('address') * 2 > stats.count) return {}
  const isFacet = isPath || (repeats(stats) && isShort(stats))
  return { searchable: true, ...(isFacet ? { facet: true } : {}) }
}

/** Whether values of JSON rows must be converted for their field. */
function needsConversion(column: ColumnProfile, type: FieldType, reading: Reading): boolean {
  const { whole, hasLists, hasSingles, hasNulls } = column
  const isList = type.endsWith('[]')
  if (hasNulls || (isList && hasSingles) || (!isList && hasLists)) return true
  if (reading.stripsHtml === true || reading.path !== undefined) return true
  if (reading.dates !== undefined) return true
  const { count, numberCount, flagCount, nestedCount } = whole
  if (type.startsWith('string')) return numberCount + flagCount + nestedCount > 0
  if (type.startsWith('bool')) return flagCount < count
  if (type.startsWith('date')) return reading.skipsNothing === true
  return numberCount < count
}
