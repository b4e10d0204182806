import { readFileSync, writeFileSync } from 'node:fs'
import { openApiText } from './openapi-text.ts'

/** `node tools/generate-openapi.ts` writes docs/openapi.json; a test fails when that is out of date. */
const root = new URL('../', import.meta.url)
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  version: string
}
writeFileSync(new URL('docs/openapi.json', root), await openApiText(version))
