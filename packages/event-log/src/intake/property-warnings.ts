import { actionOf, type EventAction } from '../model/event-facts.ts'
import type { VisitorEvent } from '../model/visitor-event.ts'
import { received } from './json-value.ts'

const PRODUCT = ['object_id', 'product_id', 'document_id'] as const

/** Actions that are about one product. */
const OF_A_PRODUCT: ReadonlySet<EventAction> = new Set(['click', 'view', 'conversion', 'add'])

/**
 * What the reports miss in an event that was accepted: a client of the canonical form sends what it
 * likes. Each names the property, what was expected, and what was received.
 */
export function propertyWarnings(event: VisitorEvent): string[] {
  // The simple form refuses such events.
  if (event.source !== 'canonical') return []
  const { properties: p } = event
  const action = actionOf(event)
  const warnings: string[] = []
  if (OF_A_PRODUCT.has(action)) {
    const name = PRODUCT.find((one) => isGiven(p[one]))
    if (name === undefined) {
      warnings.push(
        '`properties.object_id` (or `product_id`) is missing: the event is not counted for any product',
      )
    } else if (!isId(p[name])) {
      warnings.push(
        `\`properties.${name}\` must be the id of a product, received ${received(p[name])}`,
      )
    }
  }
  if (action === 'click') warn('position', isPosition, 'a whole number from 1')
  if (action === 'search' && !isText(p['query'])) {
    warnings.push(`\`properties.query\` must be a string, received ${received(p['query'])}`)
  }
  if (action === 'order') {
    if (!Array.isArray(p['products'])) {
      const got = received(p['products'])
      warnings.push(
        `\`properties.products\` must be a list of products with \`product_id\`, received ${got}`,
      )
    } else if (p['products'].some((line: unknown) => !hasProduct(line))) {
      warnings.push('`properties.products` has a product without `product_id`')
    }
    warn('revenue', isNumber, 'a number')
  }
  if (action === 'conversion') warn('revenue', isNumber, 'a number')
  return warnings

  function warn(name: string, isValid: (value: unknown) => boolean, expected: string): void {
    const value = p[name]
    if (!isGiven(value) || isValid(value)) return
    warnings.push(`\`properties.${name}\` must be ${expected}, received ${received(value)}`)
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function isId(value: unknown): boolean {
  return isText(value) || Number.isSafeInteger(value)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value)
}

function isPosition(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1
}

function hasProduct(line: unknown): boolean {
  if (typeof line !== 'object' || line === null) return false
  const fields = line as Record<string, unknown>
  return PRODUCT.some((name) => isGiven(fields[name]) && isId(fields[name]))
}
