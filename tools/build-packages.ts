import { join } from 'node:path'
import { REPOSITORY } from '@aisle/testing'
import { buildPackage, PUBLISHED, type PublishedName } from './lib/build-package.ts'
import { buildServicePackage, SERVICE_PACKAGE } from './lib/build-service-package.ts'
import { writeOpenApi } from './lib/write-openapi.ts'

/**
 * `npm run packages` builds the packages that others install and the OpenAPI document, or the named
 * ones: `npm run packages -- client`. `npm publish ./packages/client/dist` publishes it.
 */
const builds = new Map<string, { home: string; make: (folder: string) => Promise<void> }>()
for (const name of Object.keys(PUBLISHED) as PublishedName[]) {
  builds.set(name, { home: name, make: (folder) => buildPackage(name, folder) })
}
builds.set(SERVICE_PACKAGE, { home: 'cli', make: buildServicePackage })

const named = process.argv.slice(2)
for (const name of named.length === 0 ? builds.keys() : named) {
  const build = builds.get(name)
  if (build === undefined)
    throw new Error(`Unknown package "${name}": expected ${[...builds.keys()].join(', ')}`)
  const folder = `packages/${build.home}/dist`
  await build.make(join(REPOSITORY, folder))
  console.log(folder)
}
if (named.length === 0) console.log(await writeOpenApi())
