import { readFileSync, writeFileSync } from 'node:fs'
import { missingOptionalPackages, withMissingPackages } from './lib/lockfile-platforms.ts'
import type { Lockfile } from './lib/lockfile-platforms.ts'

/** `npm run lockfile`, to run after each `npm install`: see lib/lockfile-platforms.ts. */
const path = new URL('../package-lock.json', import.meta.url)
const lockfile = JSON.parse(readFileSync(path, 'utf8')) as Lockfile
const missing = missingOptionalPackages(lockfile)
writeFileSync(path, `${JSON.stringify(withMissingPackages(lockfile), null, 2)}\n`)
console.log(`${missing.length} platform packages added to package-lock.json`)
