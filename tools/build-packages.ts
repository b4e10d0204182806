import { join } from 'node:path'
import { REPOSITORY } from '@aisle/testing'
import { buildPackage, PUBLISHED, type PublishedName } from './lib/build-package.ts'

/**
 * `npm run packages` makes what others install; `npm publish packages/client/dist` publishes it.
 */
for (const name of Object.keys(PUBLISHED) as PublishedName[]) {
  const folder = join(REPOSITORY, 'packages', name, 'dist')
  await buildPackage(name, folder)
  console.log(`packages/${name}/dist`)
}
