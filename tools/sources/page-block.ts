import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '@aisle/testing'

/** A block of a page of the docs, by what is written behind its three backticks: `sql shop`. */
export function pageBlock(page: string, name: string): string {
  const text = readFileSync(join(REPOSITORY, 'docs', page), 'utf8')
  const [, block] = text.split(`\n\`\`\`${name}\n`)
  if (block === undefined) throw new Error(`docs/${page} has no block "${name}"`)
  return block.slice(0, block.indexOf('\n```'))
}

/** The request of a page, to a server of the test. */
export function pageSource<Request extends { connection: object }>(
  page: string,
  connection: object,
): Request {
  const request = JSON.parse(pageBlock(page, 'json source')) as Request
  return { ...request, connection: { ...request.connection, ...connection } }
}
