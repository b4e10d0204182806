import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '@aisle/testing'
import { commandLineReference } from '../packages/cli/src/index.ts'

/** Regenerates docs/cli.md. */
writeFileSync(join(REPOSITORY, 'docs/cli.md'), await commandLineReference())
