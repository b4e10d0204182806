import { fieldNameOf } from '../field-name.ts'
import { objectsAbove } from '../field-patterns.ts'
import { ID_DEFAULT } from '../id-names.ts'
import { ImportError } from '../import-error.ts'
import type { FileProfile } from '../profile/file-profile.ts'
import type { ProposeOptions } from './proposal.ts'

const NAME_MAX_CHARS = 100
/** The name for a title without a letter or digit. */
const UNNAMED = 'unnamed'

/**
 * The target field of every column, or of every top-level member of JSON rows: the field of the
 * same name, or of that name in snake case, unless it is mapped. No two columns share a field.
 *
 * @throws ImportError if a mapped column does not exist
 */
export function targetNames(
  profile: FileProfile,
  { mapping, idColumn, schema, asIs }: ProposeOptions,
): Map<string, string> {
  const isTable = profile.columns !== undefined
  const columns = profile.columns ?? topMembers(profile)
  if (asIs === true) return new Map(columns.map((column) => [column, column]))
  for (const column of mapping.keys()) {
    if (columns.includes(column) || (!isTable && profile.isSample)) continue
    const what = isTable ? 'column' : 'field'
    const names = columns.slice(0, 50).join(', ')
    throw new ImportError('unreadable', `Cannot map ${what} "${column}": the ${what}s are ${names}`)
  }
  const known = new Set(schema?.fields.map(({ name }) => name))
  const hasSchema = known.size > 0
  const taken = new Set([ID_DEFAULT, ...mapping.values()])
  const targets = new Map<string, string>()
  for (const column of columns) {
    const mapped = mapping.get(column)
    // A column of a table without a title.
    if (column === '' && isTable) continue
    if (mapped !== undefined) {
      targets.set(column, mapped)
      continue
    }
    const own = ownName(column, isTable, known)
    const isId = column === idColumn
    // The id is always searchable; a column of another name also remains a field, if the store has
    // it.
    if (isId && (own === ID_DEFAULT || (hasSchema && !known.has(own)))) targets.set(column, '')
    else targets.set(column, uniqueName(own, taken))
    taken.add(targets.get(column)!)
  }
  return targets
}

function topMembers({ paths, objects, emptyPaths, dotted }: FileProfile): string[] {
  const isInside = (path: string): boolean => {
    if (dotted.has(path)) return false
    return objectsAbove(path).some((above) => objects.has(above))
  }
  return [...new Set([...paths.keys(), ...objects.keys(), ...emptyPaths])].filter(
    (path) => !isInside(path),
  )
}

function ownName(column: string, isTable: boolean, known: ReadonlySet<string>): string {
  if (known.has(column)) return column
  const isName =
    !isTable &&
    column !== '' &&
    [...column].length <= NAME_MAX_CHARS &&
    !/\p{Cc}/u.test(column) &&
    column.isWellFormed() &&
    column !== '__proto__' &&
    !column.endsWith('.*')
  return isName ? column : [...fieldNameOf(column)].slice(0, NAME_MAX_CHARS).join('') || UNNAMED
}

function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  for (let i = 2; ; i++) if (!taken.has(`${name}_${i}`)) return `${name}_${i}`
}
