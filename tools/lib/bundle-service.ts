import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix, relative } from 'node:path'
import { build, type OnResolveResult, type Plugin } from 'esbuild'
import { REPOSITORY } from '@aisle/testing'
import { buildFolder } from '../../packages/dashboard/build/built-folder.ts'
import { readSource } from './source-files.ts'

/** Folder of the bundled service, here and in the package: its code finds other files from it. */
export const CODE = 'packages/server/dist'
/** The command line, and what `npm start` runs; threads and child processes are found by path. */
const MAINS = { aisle: 'packages/cli/src/main.ts', 'npm-start': 'packages/server/src/npm-start.ts' }
/** The service of the tests of threads: only the checkout has it, beside what `npm start` runs. */
const TEST_MAINS = { 'tiny-main': 'packages/server/src/threads/test/tiny-main.ts' }
/** What may name the entry of a thread or of a child process. */
const WITH_ENTRIES = 'packages/{cli,cluster,server}/src/**/*.ts'
const IS_TEST = /\.test\.ts$|\/test\//
const URL_OF = /\bnew URL\(\s*'(\.[^'\n]+)',\s*import\.meta\.url/g
/** Has another value in a bundle. */
const UNKNOWN_THERE = /\bimport\.meta\.(?!url|dirname|resolve\b)\w+/

interface Manifest {
  readonly exports?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** Packages that the bundled code imports, with versions. */
export interface Dependencies {
  readonly dependencies: Map<string, string>
  /** Without one of these, a part of the service does not work. */
  readonly optionalDependencies: Map<string, string>
}

/** Builds the code that `npm start` runs, if its sources have changed. */
export async function buildService(): Promise<boolean> {
  const sources = ['packages/*/{src/**/*.ts,package.json}', 'tools/lib/bundle-service.ts']
  return await buildFolder(
    join(REPOSITORY, CODE),
    sources,
    async (folder) => void (await bundleService(folder, TEST_MAINS)),
    { isPage: false },
  )
}

/** Lets `ServerProcess` run the bundle, as users do: it starts in half the time. */
export async function useBundledService(): Promise<void> {
  await buildService()
  process.env['SERVICE_ENTRY'] = join(REPOSITORY, CODE, 'npm-start.js')
}

/**
 * Bundles the sources of the service and the command line: a file for each entry, and what several
 * of them share in further ones. A thread loads a dozen files instead of a thousand, which takes
 * half the time and a quarter less memory. Installed packages are not bundled.
 *
 * @param folder emptied first
 * @param more further programs: names and source files
 * @returns the installed packages that the code imports
 */
export async function bundleService(
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Dependencies> {
  const dependencies: Dependencies = { dependencies: new Map(), optionalDependencies: new Map() }
  await build({
    absWorkingDir: REPOSITORY,
    entryPoints: { ...MAINS, ...more, ...pathEntries(Object.values(more)) },
    outdir: folder,
    chunkNames: 'shared-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'esnext',
    charset: 'utf8',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'error',
    plugins: [ownCode(dependencies)],
  })
  return dependencies
}

/**
 * The entries of threads and child processes, by the names of their files.
 *
 * @param tests files of tests that name some too
 */
function pathEntries(tests: readonly string[]): Record<string, string> {
  const entries: Record<string, string> = {}
  for (const file of globSync(WITH_ENTRIES, { cwd: REPOSITORY })) {
    if (IS_TEST.test(file) && !tests.includes(file)) continue
    for (const [, path = ''] of readSource(file).text.matchAll(URL_OF)) {
      if (!path.endsWith('.ts')) continue
      const entry = posix.join(dirname(file), path)
      const name = basename(entry, '.ts')
      if (name in MAINS || (entries[name] ?? entry) !== entry) {
        throw new Error(`Two entries are called "${name}"`)
      }
      entries[name] = entry
    }
  }
  return entries
}

function ownCode(dependencies: Dependencies): Plugin {
  const setup: Plugin['setup'] = ({ onLoad, onResolve }) => {
    onResolve({ filter: /^[^.]/ }, ({ path, importer, kind }): OnResolveResult | undefined => {
      if (kind === 'entry-point') return undefined
      const from = relative(REPOSITORY, importer)
      const source = sourceOf(path, from)
      if (source !== undefined) return { path: join(REPOSITORY, source) }
      noteDependency(path, from, dependencies)
      return { path, external: true }
    })
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: atHome(readFileSync(path, 'utf8'), relative(REPOSITORY, path)),
      loader: 'ts',
    }))
  }
  return { name: 'own code', setup }
}

/** Makes paths that a source file derives from its own place right in the folder of the bundle. */
function atHome(text: string, file: string): string {
  const [unknown] = UNKNOWN_THERE.exec(text) ?? []
  if (unknown !== undefined) throw new Error(`${file} has ${unknown}`)
  const fromCode = (path: string): string => posix.relative(CODE, posix.join(dirname(file), path))
  return text
    .replaceAll(URL_OF, (_, path: string) => {
      const isEntry = path.endsWith('.ts')
      const target = isEntry ? `./${basename(path, '.ts')}.js` : fromCode(path)
      const slash = path.endsWith('/') ? '/' : ''
      return `new URL('${target}${slash}', import.meta.url`
    })
    .replaceAll(/\bimport\.meta\.dirname\b/g, () => `(import.meta.dirname + '/${fromCode('.')}')`)
}

/** @returns the source file of an import, from the root; `undefined` for an installed package */
function sourceOf(specifier: string, from: string): string | undefined {
  const [, name, entry = ''] = /^@aisle\/([^/]+)(\/.+)?$/.exec(specifier) ?? []
  if (name === undefined) return undefined
  const source = manifestOf(`packages/${name}`).exports?.[`.${entry}`]
  if (source === undefined) throw new Error(`${from} imports ${specifier}, which is not an entry`)
  return posix.join('packages', name, source)
}

function noteDependency(specifier: string, from: string, dependencies: Dependencies): void {
  if (specifier.startsWith('node:')) return
  const [scope = '', name = ''] = specifier.split('/')
  const dependency = scope.startsWith('@') ? `${scope}/${name}` : scope
  const home = from.split('/').slice(0, 2).join('/')
  const manifest = manifestOf(home)
  const kind = (['dependencies', 'optionalDependencies'] as const).find(
    (one) => manifest[one]?.[dependency] !== undefined,
  )
  if (kind === undefined) throw new Error(`${from} imports ${dependency}, not a dependency`)
  dependencies[kind].set(dependency, manifest[kind]![dependency]!)
}

function manifestOf(home: string): Manifest {
  return JSON.parse(readSource(posix.join(home, 'package.json')).text) as Manifest
}
