import { writeFileSync } from 'node:fs'
import { chineseLettersSource } from './lib/chinese-letters-source.ts'

/**
 * `node tools/generate-chinese-letters.ts` generates the table of traditional and simplified
 * characters from the tables of OpenCC; a test fails if it is out of date.
 */
const path = new URL('../packages/engine/src/analysis/chinese-letters.ts', import.meta.url)
writeFileSync(path, chineseLettersSource())
