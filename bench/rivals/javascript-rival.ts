import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { measurePasses } from '../lib/measure.ts'
import type { QueryClassName } from '../lib/query-classes.ts'
import { flexsearch } from './flexsearch.ts'
import type { Library, RivalDocument } from './library.ts'
import { minisearch } from './minisearch.ts'
import { orama } from './orama.ts'
import type { RivalAnswer, RivalSpec } from './rival.ts'

/**
 * The process of a rival that is a JavaScript library: node javascript-rival.ts NAME FOLDER SPEC,
 * documents on standard input.
 */
const LIBRARIES: Readonly<Record<string, (folder: string, spec: RivalSpec) => Promise<Library>>> = {
  minisearch,
  orama,
  flexsearch,
}

const [name = '', folder = '', specFile = ''] = process.argv.slice(2)
const spec = JSON.parse(readFileSync(specFile, 'utf8')) as RivalSpec
const library = await LIBRARIES[name]!(folder, spec)

let docCount = 0
for await (const line of createInterface({ input: process.stdin })) {
  docCount += 1
  await library.add({ ...(JSON.parse(line) as RivalDocument), key: docCount })
}
const { user, system } = process.cpuUsage()
const docsPerSecond = docCount / ((user + system) / 1e6)

const classes: Partial<Record<QueryClassName, { best: number[]; all: number[] }>> = {}
for (const { name: className, queries } of spec.classes) {
  classes[className] = await measurePasses(queries, (query) => library.search(query), spec)
}
const answer: RivalAnswer = { docsPerSecond, classes }
console.log(JSON.stringify(answer))
