import { globSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { REPOSITORY } from '@aisle/testing'
import { chooseQuickTests, QUICK_GROUP_SECONDS_MAX } from './test-run/quick-tests.ts'
import { runTests } from './test-run/run-tests.ts'

/**
 * `npm test`: all tests. `npm test -- tools/tidy.test.ts` runs the named files or patterns.
 * `--record` stores the duration of each file, by which later runs divide the work.
 *
 * `npm run test:quick`: what a change may have broken, in a minute. `-- --base main` compares with
 * another commit than the previous one.
 */
const ALL = ['packages/*/src/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    record: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    base: { type: 'string', default: 'HEAD' },
  },
})
const patterns = positionals.length > 0 ? positionals : ALL
const missing = patterns.filter((pattern) => filesOf(pattern).length === 0)
const files = [...new Set(patterns.flatMap(filesOf))]
if (missing.length > 0) {
  console.error(`No test file has this name: ${missing.join(' ')}`)
  process.exitCode = 1
} else {
  const chosen = values.quick ? chooseQuickTests(files, values.base) : files
  const options = values.quick ? { groupSecondsMax: QUICK_GROUP_SECONDS_MAX } : {}
  const isGood = await runTests(chosen, { isRecorded: values.record, ...options })
  process.exitCode = isGood ? 0 : 1
}

function filesOf(pattern: string): string[] {
  return globSync(pattern, { cwd: REPOSITORY }).map((file) =>
    relative(REPOSITORY, resolve(REPOSITORY, file)),
  )
}
