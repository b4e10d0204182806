import { readFileSync, writeFileSync } from 'node:fs'
import { accessPage, openApiText } from './openapi-text.ts'

/**
 * `node tools/generate-openapi.ts` writes docs/openapi.json, and the table of docs/access.md; a
 * test fails when they are out of date.
 */
const root = new URL('../', import.meta.url)
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  version: string
}
const text = await openApiText(version)
writeFileSync(new URL('docs/openapi.json', root), text)
const access = new URL('docs/access.md', root)
writeFileSync(access, accessPage(readFileSync(access, 'utf8'), text))
