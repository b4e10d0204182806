import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { REPOSITORY } from '@aisle/testing'
import { readSource, repositoryFiles } from '../lib/source-files.ts'
import { ImportGraph } from './import-graph.ts'
import { TestTimes } from './test-times.ts'

/**
 * What always runs: the index against its slow twin on generated input, and the rules of the
 * repository.
 */
export const LAWS = [
  'packages/engine/src/search/{laws,searcher,element-filters}.test.ts',
  'packages/engine/src/search/{completion/completions,facets/facet-counter}.test.ts',
  'packages/engine/src/search/filters/filter-evaluator.test.ts',
  'packages/suggestions/src/match/*.test.ts',
  'packages/event-log/src/bursts/typing-bursts.test.ts',
  'tools/tidy.test.ts',
]

/** Uses that no import shows: a link, and pages that are built for a browser. */
const USES = [
  ['packages/server/src/main.ts', 'packages/server/entry/main.ts'],
  ['tools/dashboard/dashboard-session.ts', 'packages/dashboard/src/main.tsx'],
] as const

/** Of the recorded times, for each processor; what is left of a minute is for starting. */
const SECONDS_MAX = 40

export interface QuickChoice {
  readonly chosen: readonly string[]
  /** Reached by the change, but farther away than what fills the time. */
  readonly leftOut: readonly string[]
}

/** The tests of a minute after a change since a commit; says what they are and what is left out. */
export function chooseQuickTests(tests: readonly string[], base: string): readonly string[] {
  const paths = repositoryFiles()
  const sources = paths.filter((path) => /\.tsx?$|\/package\.json$/.test(path)).map(readSource)
  const changed = changedFiles(base)
  const laws = globSync(LAWS, { cwd: REPOSITORY })
  const times = TestTimes.read('machine')
  const { chosen, leftOut } = quickChoice(
    tests,
    laws,
    new ImportGraph([...paths, ...USES.map(([user]) => user)], sources, USES).distancesTo(changed),
    (file) => times.secondsOf(file),
    SECONDS_MAX * availableParallelism(),
  )
  const count = chosen.length - laws.length
  console.log(`${changed.length} files changed since ${base}: ${changed.join(' ')}`)
  console.log(`${count} test files that they reach, and ${laws.length} that always run`)
  if (leftOut.length > 0) {
    console.log(`NOT RUN, ${leftOut.length} farther away: ${leftOut.join(' ')}`)
  }
  console.log('')
  return chosen
}

/** The nearest to the change, as many as there is time for, and of equally near ones the quick. */
export function quickChoice(
  tests: readonly string[],
  always: readonly string[],
  distances: ReadonlyMap<string, number>,
  secondsOf: (file: string) => number,
  secondsMax: number,
): QuickChoice {
  const chosen = [...always]
  const leftOut: string[] = []
  let seconds = always.reduce((sum, file) => sum + secondsOf(file), 0)
  const reached = tests.filter((file) => distances.has(file) && !always.includes(file))
  const nearestFirst = reached.toSorted(
    (a, b) => distances.get(a)! - distances.get(b)! || secondsOf(a) - secondsOf(b),
  )
  for (const file of nearestFirst) {
    // What was changed itself is not left out.
    if (distances.get(file) === 0 || seconds + secondsOf(file) <= secondsMax) {
      chosen.push(file)
      seconds += secondsOf(file)
    } else leftOut.push(file)
  }
  return { chosen, leftOut }
}

/** Against a commit, with what is not committed yet and new. */
function changedFiles(base: string): string[] {
  const git = (...words: string[]): string[] =>
    execFileSync('git', words, { cwd: REPOSITORY, encoding: 'utf8' }).split('\n').filter(Boolean)
  return [
    ...git('diff', '--name-only', '--relative', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
}
