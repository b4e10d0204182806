import type { SchemaFieldRequest } from '@aisle/client'
import type { FileProfile, ObjectProfile } from '../profile/file-profile.ts'
import { objectsAbove } from '../field-patterns.ts'
import type { ColumnProposer } from './column-proposer.ts'
import type { ProposedColumn, ProposeOptions } from './proposal.ts'

/** An object with more members becomes a pattern, which also covers members of later documents. */
const MEMBERS_MAX = 60
/** Fields that patterns may add, with some left for later documents. */
const PATTERN_MEMBERS_MAX = 200

/**
 * Lists all columns of a file, objects before their members. An object with very many members
 * becomes a pattern; one whose members cannot be fields becomes a list of texts.
 */
export function foldObjects(
  profile: FileProfile,
  proposer: ColumnProposer,
  options: ProposeOptions,
): ProposedColumn[] {
  const { objects, paths } = profile
  const asIs = options.asIs === true
  const folded = new Map<string, 'list' | 'text' | 'pattern'>()
  for (const [path, object] of objects) {
    const fold = foldOf(path, object, profile, proposer, asIs)
    if (fold !== undefined) folded.set(path, fold)
  }
  const above = (path: string): string[] => {
    const own = [...profile.dotted].find((name) => path === name || path.startsWith(`${name}.`))
    return objectsAbove(path).filter(({ length }) => own === undefined || length >= own.length)
  }
  const isFolded = (path: string): boolean => above(path).some((one) => folded.has(one))
  const isListed = (path: string): boolean =>
    objectsAbove(path).some((above) => objects.get(above)?.isList === true)
  const empty = asIs ? [] : profile.emptyPaths
  const names = profile.columns ?? [...new Set([...objects.keys(), ...paths.keys(), ...empty])]
  return names
    .filter((path) => !(path === '' && profile.columns !== undefined) && !isFolded(path))
    .flatMap((path): ProposedColumn[] => {
      const object = objects.get(path)
      if (object === undefined) return [proposer.column(path, isListed(path))]
      return objectColumns(path, object, folded.get(path), { profile, proposer, asIs })
    })
}

function foldOf(
  path: string,
  object: ObjectProfile,
  profile: FileProfile,
  proposer: ColumnProposer,
  asIs: boolean,
): 'list' | 'text' | 'pattern' | undefined {
  const target = proposer.targetOf(path)
  if (proposer.knows(target) || proposer.isCovered(target)) return undefined
  const beside = profile.paths.get(path)
  const isMixed = beside !== undefined && beside.otherCount + beside.placeCount > 0
  if (isMixed && !asIs) return 'text'
  const hasNamesake = [...profile.dotted].some((name) => name.startsWith(`${path}.`))
  if ((object.isOdd || hasNamesake) && !asIs) return 'list'
  if (object.members.size <= MEMBERS_MAX) return undefined
  return asIs || isEven(path, object, profile, proposer) ? 'pattern' : 'list'
}

/** Whether the first value of each member has the type of all its other values. */
function isEven(
  path: string,
  { members }: ObjectProfile,
  { objects, paths }: FileProfile,
  proposer: ColumnProposer,
): boolean {
  const inside = (name: string): boolean => name.startsWith(`${path}.`)
  const fields = [...paths.keys()].filter(inside)
  const isOdd = [...objects].some(
    ([name, one]) =>
      inside(name) && (one.isOdd || (one.isList && one.hasSingles) || paths.has(name)),
  )
  if (isOdd || members.size > PATTERN_MEMBERS_MAX || fields.length > PATTERN_MEMBERS_MAX)
    return false
  return fields.every((name) => {
    const { whole, hasLists, hasSingles, hasNulls } = paths.get(name)!
    const { count, numberCount, flagCount, nestedCount } = whole
    const isOne =
      [numberCount, flagCount, count - numberCount - flagCount].includes(count) && nestedCount === 0
    // The service may detect a date; then all values must be dates.
    const dates = whole.of('isoDate')
    const isSafe = numberCount === 0 || whole.of('pointInt32') > 0 || whole.of('pointWhole') === 0
    const isPlain =
      !(hasLists && hasSingles) && !hasNulls && !proposer.column(name, false).isConverted
    return isOne && isSafe && isPlain && (dates === 0 || dates === count)
  })
}

interface Surroundings {
  readonly profile: FileProfile
  readonly proposer: ColumnProposer
  readonly asIs: boolean
}

function objectColumns(
  path: string,
  object: ObjectProfile,
  fold: 'list' | 'text' | 'pattern' | undefined,
  { profile, proposer, asIs }: Surroundings,
): ProposedColumn[] {
  const name = proposer.targetOf(path)
  const { isList, hasSingles, hasNulls, count, example } = object
  const rest = {
    path,
    target: name,
    companions: [],
    isNew: !proposer.knows(name) && !proposer.isCovered(name),
    reading: {},
    isConverted: false,
    hasFormat: false,
    currencies: [],
    faults: [],
    faultCount: 0,
    question: undefined,
    valueCount: count,
    emptyShare: profile.emptyShare(path),
    examples: [example],
  }
  if (name === '') return [{ ...rest, field: undefined, isNew: false, why: 'left out' }]
  if (fold === 'text' || fold === 'list') {
    const isListed = objectsAbove(path).some((above) => profile.objects.get(above)?.isList === true)
    const type = fold === 'list' && !isListed ? 'string[]' : 'string'
    const field: SchemaFieldRequest = { name, type, searchable: true }
    const why =
      fold === 'text'
        ? 'objects in some rows, values in others: kept as JSON text'
        : 'too many members, or members of mixed types: kept as a list of "name: value"'
    const reading = fold === 'list' ? { listsMembers: true as const } : {}
    return [{ ...rest, field, why, reading, isConverted: true }]
  }
  const field: SchemaFieldRequest = { name, type: isList ? 'object[]' : 'object' }
  const why = isList ? 'a list of objects' : 'an object'
  // An empty list among objects is not a value.
  const hasEmpty = (!isList && profile.paths.has(path)) || profile.blank.has(path)
  const isConverted = !asIs && ((isList && (hasSingles || hasNulls)) || hasEmpty)
  const own: ProposedColumn = { ...rest, field, why, isConverted }
  if (fold !== 'pattern') return [own]
  const pattern: SchemaFieldRequest = {
    name: `${name}.*`,
    type: 'auto',
    searchable: true,
    facet: true,
  }
  const patternWhy = `${object.members.size} members: documents add the fields`
  return [own, { ...rest, path: `${path}.*`, target: `${name}.*`, field: pattern, why: patternWhy }]
}
