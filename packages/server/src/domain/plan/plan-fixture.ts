import assert from 'node:assert/strict'
import { ApiError, type ErrorCode } from '@aisle/contract'
import type { Analyzer, Field, FieldType, Schema, Token } from '@aisle/engine'

/**
 * Shared by the tests of the request languages: a schema with every kind of field, and a small
 * analyzer.
 */

function field(name: string, type: FieldType, roles: string): Field {
  return {
    name,
    type,
    searchable: roles.includes('w'),
    facet: roles.includes('f'),
    sort: roles.includes('s'),
  }
}

/** Roles: w = searchable (words), f = facet, s = sort. */
export const shopSchema: Schema = {
  fields: [
    field('title', 'string', 'ws'), // 0
    field('brand', 'string', 'wf'), // 1
    field('description', 'string', 'w'), // 2
    field('tags', 'string[]', 'wf'), // 3
    field('price', 'float', 'fs'), // 4
    field('stock', 'int32', 'fs'), // 5
    field('serial', 'int64', 'fs'), // 6
    field('in_stock', 'bool', 'f'), // 7
    field('sizes', 'int32[]', 'f'), // 8
    field('image', 'string', ''), // 9
    field('odd name', 'string', 'fs'), // 10
    field('not', 'int32', 'f'), // 11
    field('year', 'int32', 'w'), // 12
  ],
}

const STOPWORDS = new Set(['the', 'and', 'for', 'in'])
const UNITS = new Map([
  ['inches', 'inch'],
  ['inch', 'inch'],
  ['kg', 'kg'],
])

/**
 * Lower case, no diacritics, tokens of letters and digits; parts joined by `-` have a joined form;
 * s-plurals. A number and a unit are a measure.
 */
export const plainAnalyzer: Analyzer = {
  language: 'en',
  fold: foldText,
  stem: (form) => (form.length > 3 && form.endsWith('s') ? form.slice(0, -1) : form),
  name: 'en',
  isStopword: (form) => STOPWORDS.has(form),
  compounds: undefined,
  isPlural: undefined,
  analyze(text) {
    const tokens: Token[] = []
    let position = 0
    for (const match of text.matchAll(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu)) {
      const parts = [...match[0].matchAll(/[^-]+/g)]
      const start = match.index
      const end = start + match[0].length
      const first = position
      for (const part of parts) {
        const form = foldText(part[0])
        const behindNumber = /^\d+$/.test(tokens.at(-1)?.form ?? '')
        const unit = behindNumber ? UNITS.get(form) : undefined
        const at = start + part.index
        if (unit !== undefined) {
          const number = tokens.at(-1)!
          const end = at + part[0].length
          const measure = `${number.form}${unit}`
          tokens.push({ ...number, form: measure, span: 2, end, kind: 'joined', measure: true })
        }
        tokens.push({
          form: unit ?? form,
          position: position++,
          span: 1,
          start: at,
          end: at + part[0].length,
          kind: unit === undefined ? 'word' : 'unit',
        })
        if (part === parts[0] && parts.length > 1) {
          const joined = foldText(match[0].replaceAll('-', ''))
          tokens.push({
            form: joined,
            position: first,
            span: parts.length,
            start,
            end,
            kind: 'joined',
          })
        }
      }
    }
    return tokens
  },
}

function foldText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Asserts that `run` throws an ApiError of this code, and returns it. */
export function refusal(run: () => unknown, code: ErrorCode): ApiError {
  let thrown: unknown
  try {
    const value = run()
    assert.fail(`expected ${code}, got ${JSON.stringify(value)}`)
  } catch (error) {
    thrown = error
  }
  if (!(thrown instanceof ApiError)) throw thrown
  assert.equal(thrown.code, code, thrown.message)
  return thrown
}

/** Returns the milliseconds that `run` took. */
export function elapsedMs(run: () => unknown): number {
  const start = performance.now()
  run()
  return performance.now() - start
}
