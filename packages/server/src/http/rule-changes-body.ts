import { ApiError, ChangeRulesRequest, OBJECT_KEYS_MAX, RULES_MAX } from '@aisle/contract'
import type { ErrorDetail } from '@aisle/contract'
import { parameterReader } from '@aisle/contract/check'
import { OPEN_BRACKET } from '../domain/json/byte-members.ts'
import {
  beginContainer,
  moreFollow,
  parseExact,
  readElement,
  readKey,
  withoutByteOrderMark,
} from '../domain/json/json-scan.ts'
import { JsonScanner, kindOf } from '../domain/json/json-scanner.ts'
import type { Steps } from '../domain/turns/gradual.ts'
import { nestedError } from '../services/nested-error.ts'

type NamedRules = NonNullable<ChangeRulesRequest['put']>

const readAll = parameterReader<ChangeRulesRequest>(ChangeRulesRequest)
const { properties } = ChangeRulesRequest
const readRule = parameterReader<NamedRules[number]>(properties.put.items)
/** Faults that an error lists: reading ends with them. */
const DETAILS_MAX = 100

/**
 * Parses and checks the body of a change of many rules, rule by rule: at once, thousands of them
 * would keep other stores waiting.
 *
 * @throws ApiError with the faults of all rules
 */
export function* readRuleChanges(body: Uint8Array): Steps<ChangeRulesRequest> {
  const bytes = withoutByteOrderMark(body)
  const scanner = new JsonScanner(bytes)
  if (kindOf(scanner.peek()) !== 'object') return readAll(parseExact(bytes, OBJECT_KEYS_MAX))
  const members = new Map<string, unknown>()
  let rules: NamedRules | undefined
  if (beginContainer(scanner)) {
    do {
      const { key } = readKey(scanner)
      if (key === 'put' && scanner.peek() === OPEN_BRACKET) {
        rules = yield* readRules(bytes, scanner)
        members.set(key, [])
      } else members.set(key, nextValue(bytes, scanner))
    } while (moreFollow(scanner, 'object'))
  }
  scanner.expectEnd()
  const request = readAll(Object.fromEntries(members))
  return rules === undefined ? request : { ...request, put: rules }
}

function* readRules(bytes: Uint8Array, scanner: JsonScanner): Steps<NamedRules> {
  const rules: NamedRules = []
  const details: ErrorDetail[] = []
  let count = 0
  if (beginContainer(scanner)) {
    do {
      if (count === RULES_MAX) {
        const message = `Parameter \`put\` may have at most ${RULES_MAX} rules`
        throw new ApiError('invalid_parameter', message, { param: 'put' })
      }
      const value = nextValue(bytes, scanner)
      try {
        rules.push(readRule(value))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        const { details: own } = nestedError(`put[${count}]`, error)
        details.push(...(own.length > 0 ? own : [notAnObject(count, error)]))
      }
      if (details.length >= DETAILS_MAX) break
      count++
      yield
    } while (moreFollow(scanner, 'array'))
  }
  const [first] = details
  if (first === undefined) return rules
  throw new ApiError(first.code, first.message, {
    param: first.param,
    details: details.slice(0, DETAILS_MAX),
  })
}

function notAnObject(index: number, { code }: ApiError): ErrorDetail {
  const param = `put[${index}]`
  return { code, message: `Parameter \`${param}\` must be a JSON object`, param }
}

/** Parses the next value, and moves past it. */
function nextValue(bytes: Uint8Array, scanner: JsonScanner): unknown {
  const { start, end } = readElement(scanner)
  return parseExact(bytes.subarray(start, end), OBJECT_KEYS_MAX)
}
