import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '@aisle/testing'
import { openApiText } from './openapi-text.ts'
import { accessPage } from './lib/access-page.ts'
import { writeOpenApi } from './lib/write-openapi.ts'

/**
 * `npm run openapi` writes the OpenAPI document, and the table of docs/access.md; a test fails if
 * the table is out of date.
 */
console.log(await writeOpenApi())
const page = join(REPOSITORY, 'docs/access.md')
writeFileSync(page, accessPage(readFileSync(page, 'utf8'), await openApiText()))
