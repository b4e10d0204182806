import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findProgram } from '@aisle/sources/test'
import { REPOSITORY } from '@aisle/testing'
import { useBundledService } from './lib/bundle-service.ts'
import { runTests } from './test-run/run-tests.ts'

/**
 * `npm run test:sources`: the tests of sources in databases, on servers of PostgreSQL and MariaDB
 * that the tests start in temporary folders. `-- --changes 10000` is the campaign of random changes
 * and kills, `--seed 7` repeats one. What is not installed is skipped with a warning: `npm test`
 * has run everything else.
 */
const FILES = [
  'packages/sources/src/**/*.test.ts',
  'tools/sources/*.test.ts',
  'bench/database.test.ts',
]
/** Programs, and the packages of Debian that have them. */
const NEEDED = { postgres: 'postgresql', mariadbd: 'mariadb-server' }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changes: { type: 'string' },
    seed: { type: 'string' },
  },
})
await useBundledService()
const files = globSync(positionals.length > 0 ? positionals : FILES, { cwd: REPOSITORY })
const isGood = await runTests(files, {
  environment: {
    AISLE_TEST_DATABASES: 'true',
    ...(values.changes === undefined ? {} : { SOURCE_CHANGES: values.changes }),
    ...(values.seed === undefined ? {} : { SOURCE_SEED: values.seed }),
  },
})
process.exitCode = isGood ? 0 : 1
for (const [program, name] of Object.entries(NEEDED)) {
  if (findProgram(program) !== undefined) continue
  console.log(`\nNOT RUN: ${program} is not installed (on Debian: apt-get install ${name})\n`)
}
