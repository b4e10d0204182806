import { posix } from 'node:path'
import { importsOf, type SourceFile } from '../lib/source-files.ts'

/**
 * Which file uses which when the program runs: by imports (types are erased), by entries of
 * threads, and by naming it in a string (a page of `docs`, a program that a test starts).
 */
export class ImportGraph {
  /** By file: those that use it. */
  readonly #users = new Map<string, Set<string>>()
  readonly #sources: ReadonlyMap<string, SourceFile>
  readonly #byName: ReadonlyMap<string, readonly string[]>
  readonly #packages: ReadonlyMap<string, PackageExports>

  /**
   * @param paths every file of the repository
   * @param sources the TypeScript among them, and each package.json
   * @param more uses that no text shows: who, and what
   */
  constructor(
    paths: readonly string[],
    sources: readonly SourceFile[],
    more: readonly (readonly [string, string])[] = [],
  ) {
    this.#sources = new Map(sources.map((file) => [file.path, file]))
    this.#byName = Map.groupBy(paths, (path) => posix.basename(path))
    this.#packages = new Map(
      sources
        .filter(({ path }) => path.endsWith('/package.json'))
        .map(({ path, text }) => {
          const { name, exports = {} } = JSON.parse(text) as {
            name: string
            exports?: PackageExports['exports']
          }
          return [name, { folder: posix.dirname(path), exports }]
        }),
    )
    for (const file of sources) {
      if (!/\.tsx?$/.test(file.path)) continue
      for (const used of [...this.#imported(file), ...this.#named(file)]) this.#add(file.path, used)
    }
    for (const [user, used] of more) this.#add(user, used)
  }

  /** @returns how many steps each file is away from one that it uses; the files themselves: 0 */
  distancesTo(files: readonly string[]): Map<string, number> {
    const distances = new Map(files.map((file) => [file, 0]))
    // A map goes on over what is added on the way.
    for (const [file, distance] of distances) {
      for (const user of this.#users.get(file) ?? []) {
        if (!distances.has(user)) distances.set(user, distance + 1)
      }
    }
    return distances
  }

  #add(user: string, used: string): void {
    const users = this.#users.get(used) ?? new Set()
    this.#users.set(used, users.add(user))
  }

  #imported(file: SourceFile): string[] {
    return importsOf(file).flatMap(({ specifier, statement, target }) => {
      const names = importedNames(statement)
      if (names?.length === 0) return []
      const path = target ?? this.#entryOf(specifier)
      return path === undefined ? [] : this.#exporters(path, names)
    })
  }

  /** The files that a package's `index.ts` passes names on from, or the file itself. */
  #exporters(path: string, names: readonly string[] | undefined): string[] {
    const file = this.#sources.get(path)
    if (names === undefined || file === undefined || !path.endsWith('/src/index.ts')) return [path]
    return importsOf(file).flatMap(({ statement, target }) => {
      const passed = importedNames(statement)
      const isUsed = passed === undefined || passed.some((name) => names.includes(name))
      return isUsed && target !== undefined ? [target] : []
    })
  }

  /** `@aisle/contract/limits`: what the manifest of the package says. */
  #entryOf(specifier: string): string | undefined {
    const [scope, name, ...rest] = specifier.split('/')
    const found = this.#packages.get(`${scope}/${name}`)
    if (found === undefined) return undefined
    const key = ['.', ...rest].join('/')
    const pattern = `./${rest.slice(0, -1).join('/')}/*`
    const target = found.exports[key] ?? found.exports[pattern]?.replace('*', rest.at(-1) ?? '')
    return target === undefined ? undefined : posix.join(found.folder, target)
  }

  /** A quoted name means a file when exactly one path ends with it. */
  #named(file: SourceFile): string[] {
    const rest = importsOf(file).reduce(
      (text, { statement }) => text.replace(statement, ''),
      file.text,
    )
    return [...rest.matchAll(QUOTED_FILE)].flatMap(([, name = '']) => {
      const path = name.startsWith('.') ? posix.join(posix.dirname(file.path), name) : name
      const fitting = (this.#byName.get(posix.basename(path)) ?? []).filter(
        (known) => known === path || known.endsWith(`/${path}`),
      )
      const exact = fitting.filter((known) => known === path)
      const [only, ...others] = exact.length > 0 ? exact : fitting
      return only === undefined || others.length > 0 ? [] : [only]
    })
  }
}

interface PackageExports {
  readonly folder: string
  readonly exports: Readonly<Record<string, string>>
}

const QUOTED_FILE = /['"]([\w./-]*\w\.[a-z]\w*)['"]/g

/**
 * The names by which the other file knows what is imported, and by which users of this one know
 * what is passed on.
 *
 * @returns undefined: all names; none: only types, which are erased
 */
function importedNames(statement: string): string[] | undefined {
  if (/^(?:import|export)\s+type\b/.test(statement)) return []
  const [, keyword, list] = /^(import|export)\s*\{([^}]*)\}/.exec(statement) ?? []
  return list
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('type '))
    .map((part) => part.split(/\s+as\s+/).at(keyword === 'import' ? 0 : -1) ?? '')
}
