import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { openApiText } from '../openapi-text.ts'
import { isTestFile } from '../lib/dependency-rules.ts'
import { readSource, repositoryFiles } from '../lib/source-files.ts'
import { superlinear } from '@aisle/testing'
import { patternLiterals, type PatternLiteral } from './pattern-literals.ts'
import { UNPROVEN } from './unproven.ts'
import { verdictOf } from './verdict.ts'
import { worstTexts } from './worst-texts.ts'

const shipped = repositoryFiles().filter(
  (path) => /^packages\/[\w-]+\/src\/.*\.ts$/.test(path) && !isTestFile(path),
)
const contract = await patternsOfTheContract()
const literals = [...patternLiterals(shipped.map(readSource)), ...contract]

/** Patterns of schemas, which validate requests. */
async function patternsOfTheContract(): Promise<PatternLiteral[]> {
  const path = 'openapi.json'
  const found = new Set<string>()
  JSON.parse(await openApiText(), (key, value: unknown) => {
    if (key === 'pattern' && typeof value === 'string') found.add(value)
    return value
  })
  return [...found].map((source) => ({ path, place: path, source, flags: '' }))
}

/**
 * For any text that a stranger sends, a pattern looks at each character a bounded number of times.
 * This holds for all shipped patterns, because their inputs change with the code around them.
 */
suite('regular expressions', () => {
  test('the scan sees them', () => {
    const file = {
      path: 'a.ts',
      text: 'const a: string = b\nif (/x/y.test(a)) c = d / e / f\n// /no/\nreturn (x) => /z[/]/\n',
    }
    const wrapped = { ...file, text: `function f(): RegExp {\n${file.text}}\n` }
    assert.deepEqual(
      patternLiterals([wrapped]).map(({ place, source, flags }) => `${place} ${source} ${flags}`),
      ['a.ts:3 x y', 'a.ts:5 z[/] '],
    )
    assert.ok(literals.length > 150)
    assert.ok(contract.length > 0)
  })

  test('the checker distinguishes slow ones from others', () => {
    assert.equal(verdictOf('\\s*(?:>|\\/)\\s*', '').kind, 'slow')
    assert.equal(verdictOf('^(a|a)*$', '').kind, 'slow')
    assert.equal(verdictOf('^\\s*x$', 'i').kind, 'linear')
    assert.equal(verdictOf('a*(?=b)', '').kind, 'unproven')
  })

  test('each is proven linear, or listed with a reason', () => {
    const unlisted = new Set(UNPROVEN.map(({ path, source }) => `${path} ${source}`))
    const problems = literals.flatMap(({ place, path, source, flags }) => {
      const verdict = verdictOf(source, flags)
      if (verdict.kind === 'linear') return []
      if (verdict.kind === 'slow')
        return [`${place} /${source}/: ${verdict.growth}: ${verdict.text}`]
      return unlisted.delete(`${path} ${source}`) ? [] : [`${place} /${source}/: not proven`]
    })
    assert.deepEqual(problems, [])
    assert.deepEqual([...unlisted], [], 'listed, but proven or gone')
  })

  // The proof is about finding one match; finding all matches can still be quadratic.
  test('finding all matches takes time linear in the text, for every generated text', () => {
    const problems = literals.flatMap(({ place, source, flags }) =>
      worstTexts(source).flatMap((textOf) => {
        const pattern = new RegExp(source, flags.replace('g', '') + 'g')
        const found = superlinear((text) => text.replaceAll(pattern, ''), textOf, 16_384)
        return found === undefined ? [] : [`${place} /${source}/ on "${textOf(24)}": ${found}`]
      }),
    )
    assert.deepEqual(problems, [])
  })
})
